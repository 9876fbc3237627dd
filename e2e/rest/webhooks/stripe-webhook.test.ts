/** Stripe's webhook: every event is signed; events come in any order and number. */
import { expect, test, vi } from 'vitest';
import type { FakeEvent } from '@/e2e/fixtures/fake-stripe';
import disputeCreated from '@/e2e/fixtures/stripe/dispute-created.json' with { type: 'json' };
import refundFailed from '@/e2e/fixtures/stripe/refund-failed.json' with { type: 'json' };
import { settleOverdueTopUps } from '@/server/domain/top-ups';
import { readStripeEvent } from '@/server/gateways/stripe-events';
import { openPaidTable } from '@/server/testing/bill-payments';
import { stripeWebhook } from '@/server/testing/stripe-webhook';
import { topUpStage } from '@/server/testing/top-ups';

const stage = topUpStage();
const { post, send } = stripeWebhook(stage, { STRIPE_WEBHOOK_SECRET_ALSO_ACCEPTED: 'whsec_that_is_rotated' });

test('a payment and its refund, each sent twice and in the wrong order, have the right result', async () => {
  const { beginByCard, balance } = await stage.scene();
  const { session } = await beginByCard();
  const from = stage.stripe.events.length;
  stage.stripe.pay(session.id);
  const paid = stage.stripe.events.slice(from).toReversed();
  expect(paid.map(({ type }) => type)).toEqual(['checkout.session.completed', 'charge.succeeded']);
  const told = [...paid, ...paid, ...paid];
  expect(await Promise.all(told.map(send))).toEqual(told.map(() => 200));
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });

  stage.stripe.refund(session.id);
  const all = stage.stripe.events.slice(from).toReversed();
  for (const event of [...all, ...all]) expect(await send(event)).toBe(200);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
});

test('a payment reported before its checkout is stored is credited, and its refund is applied', async () => {
  const { beginByCard, balance } = await stage.scene();
  const { session, topUpRequestId } = await beginByCard();
  const from = stage.stripe.events.length;
  const note = (id: string | null) =>
    stage.owner`update top_up_requests set checkout_id = ${id} where id = ${topUpRequestId}`;
  await note(null);
  stage.stripe.pay(session.id);
  for (const event of stage.stripe.events.slice(from)) expect(await send(event)).toBe(200);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  await note(session.id);
  stage.stripe.refund(session.id);
  expect(await send(stage.stripe.events.at(-1) as FakeEvent)).toBe(200);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
});

test('a payment of a bill and its refund, each sent twice and in the wrong order, have the right result', async () => {
  const { begin, look, money } = await openPaidTable(stage, 1_000);
  const { session } = await begin({ amount: 600, tip: 60 });
  const from = stage.stripe.events.length;
  stage.stripe.pay(session.id);
  const paid = stage.stripe.events.slice(from).toReversed();
  expect(await Promise.all([...paid, ...paid].map(send))).toEqual([200, 200, 200, 200]);
  expect(await look()).toMatchObject({ paid: 600, tips: 60, due: 400 });
  stage.stripe.refund(session.id, 100);
  const all = stage.stripe.events.slice(from).toReversed();
  for (const event of [...all, ...all]) expect(await send(event)).toBe(200);
  expect(await look()).toMatchObject({ paid: 500, tips: 60, due: 500 });
  expect(await money()).toEqual({ atStripe: 560, kept: 560, owed: 0 });
});

/** The events of refunds since then, as Stripe tells them of what staff refund in its dashboard: without our metadata. */
function refundEvents(from: number): FakeEvent[] {
  const events = stage.stripe.events.slice(from).filter(({ type }) => type.includes('refund.'));
  for (const { body } of events) expect(JSON.parse(body).data.object.metadata).toEqual({});
  return events;
}

test.each([
  ['whose id was kept', false],
  ['from before its id was kept', true],
])('a refund in the dashboard that the bank sends back is owed again: top-up %s', async (_, isOlder) => {
  const { beginByCard, balance, merchant } = await stage.scene();
  const { session, topUpRequestId } = await beginByCard();
  stage.stripe.pay(session.id);
  expect(await send(stage.stripe.events.at(-1) as FakeEvent)).toBe(200);
  if (isOlder) await stage.owner`update top_up_requests set payment_id = null where id = ${topUpRequestId}`;
  let from = stage.stripe.events.length;
  stage.stripe.refund(session.id);
  expect(await Promise.all(refundEvents(from).map(send))).toEqual([200]);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });

  from = stage.stripe.events.length;
  stage.stripe.failRefunds(session.id);
  const told = refundEvents(from);
  expect(told.map(({ type }) => type)).toEqual(['charge.refund.updated', 'refund.updated', 'refund.failed']);
  const asked = stage.stripe.requests.filter((request) => request.endsWith('/refunds')).length;
  expect(await Promise.all([...told, ...told].map(send))).toEqual(Array(6).fill(200));
  const stateOf = async () => {
    const [row] = await stage.owner`
      select state, refunded_amount::int as refunded, alerted_at is not null as alerted from top_up_requests
      where merchant_id = ${merchant.id} and id = ${topUpRequestId}`;
    return row;
  };
  expect(await stateOf()).toEqual({ state: 'refunding', refunded: 0, alerted: true });
  // Not again at once: the bank has just refused it.
  expect(stage.stripe.requests.filter((request) => request.endsWith('/refunds')).length).toBe(asked);
  stage.travel(61 * 60_000);
  await Promise.all([settleOverdueTopUps(stage.services()), settleOverdueTopUps(stage.services())]);
  expect(await stateOf()).toMatchObject({ state: 'refunded', refunded: 10_000 });
  expect(session.amountRefunded).toBe(10_000);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
});

test('a refund of a bill in the dashboard that the bank sends back is owed again', async () => {
  const { pay, look, money } = await openPaidTable(stage, 1_000);
  const { session } = await pay();
  let from = stage.stripe.events.length;
  stage.stripe.refund(session.id, 300);
  for (const event of refundEvents(from)) expect(await send(event)).toBe(200);
  expect(await look()).toMatchObject({ paid: 700, due: 300 });
  from = stage.stripe.events.length;
  stage.stripe.failRefunds(session.id);
  expect(await send(refundEvents(from).at(0) as FakeEvent)).toBe(200);
  expect(await money()).toEqual({ atStripe: 1_000, kept: 700, owed: 300 });
});

test.each([refundFailed, disputeCreated])('the fake sends what Stripe sends: $type', async (recorded) => {
  const { beginByCard } = await stage.scene();
  const { session } = await beginByCard();
  stage.stripe.pay(session.id);
  stage.stripe.refund(session.id);
  stage.stripe.failRefunds(session.id);
  stage.stripe.dispute(session.id);
  const sent = stage.stripe.events.findLast(({ type }) => type === recorded.type);
  const typesOf = (object: object) => Object.entries(object).map(([name, value]) => `${name}: ${typeof value}`);
  expect(typesOf(recorded.data.object)).toEqual(
    expect.arrayContaining(typesOf(JSON.parse(sent?.body ?? '').data.object)),
  );
});

test('an event that is signed with the secret that is rotated counts as well', async () => {
  const { beginByCard, balance } = await stage.scene();
  const { session } = await beginByCard();
  stage.stripe.pay(session.id);
  const event = stage.stripe.sign(stage.stripe.events.at(-1) as FakeEvent, 'whsec_that_is_rotated');
  expect((await post(event)).status).toBe(200);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
});

test('an event without Stripe’s signature changes nothing', async () => {
  const { beginByCard, balance } = await stage.scene();
  const { session } = await beginByCard();
  stage.stripe.pay(session.id);
  const event = stage.stripe.events.at(-1) as FakeEvent;
  const { body, headers } = stage.stripe.sign(event);
  const forged = [
    stage.stripe.sign(event, 'whsec_of_somebody_else'),
    { body },
    { body, headers: { 'stripe-signature': '' } },
    { body, headers: { 'stripe-signature': 't=1,v1=00' } },
    { body: `${body} `, headers },
    { headers },
  ];
  const { processLog } = await import('@/server/observe/log');
  const logged = vi.spyOn(processLog(), 'info').mockImplementation(() => {});
  for (const init of forged) expect((await post(init)).status).toBe(403);
  // The first of the hour; the tenth would be the next.
  expect(logged.mock.calls).toEqual([
    [{ security: 'webhook.refused', provider: 'stripe', network: 'unknown', attempts: 1 }, 'security'],
  ]);
  logged.mockRestore();
  expect((await post({ ...stage.stripe.sign(event), body: `${body}${' '.repeat(2 ** 20)}` })).status).toBe(413);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
});

test('an event that is not ours is accepted and ignored', async () => {
  const foreign = [
    { metadata: null },
    { metadata: { merchantId: 'x', topUpRequestId: 'y' } },
    { metadata: { merchantId: crypto.randomUUID(), topUpRequestId: crypto.randomUUID() } },
    { metadata: { merchantId: crypto.randomUUID(), billPaymentId: crypto.randomUUID() } },
    {},
  ];
  for (const object of foreign) {
    const body = JSON.stringify({ object: 'event', type: 'charge.refunded', data: { object } });
    expect(await send({ type: 'charge.refunded', account: null, body })).toBe(200);
  }
});

test('while Stripe is unreachable, its events get 503 so that it retries', async () => {
  const { beginByCard, balance } = await stage.scene();
  const { session } = await beginByCard();
  stage.stripe.pay(session.id);
  const event = stage.stripe.events.at(-1) as FakeEvent;
  stage.stripe.fault = 'away';
  expect(await send(event)).toBe(503);
  stage.stripe.fault = null;
  expect(await send(event)).toBe(200);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
});

test('an event or a session of live mode credits nothing where payments are tests, and the other way round', async () => {
  const { beginByCard, balance } = await stage.scene();
  const { session } = await beginByCard();
  const from = stage.stripe.events.length;
  stage.stripe.pay(session.id);
  const [paid] = stage.stripe.events.slice(from) as [FakeEvent];
  const inMode = (livemode: boolean) => ({ ...paid, body: JSON.stringify({ ...JSON.parse(paid.body), livemode }) });
  expect(await send(inMode(true))).toBe(200);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  const { body, headers } = stage.stripe.sign(inMode(false));
  const secrets = [String(stage.settings.STRIPE_WEBHOOK_SECRET)];
  const read = (key: string) => readStripeEvent(Buffer.from(body), headers['stripe-signature'] ?? '', secrets, key);
  expect(read('rk_live_1')).toBeNull();
  expect(read('sk_test_1')).toMatchObject({ told: { merchantId: expect.any(String) } });
  session.livemode = true;
  expect(await send(paid)).toBe(200);
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  session.livemode = false;
  expect(await send(paid)).toBe(200);
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
});
