/** Events of disputes, as Stripe sends them to its webhook: signed, doubled, late, unordered, or lost. */
import { describe, expect, test } from 'vitest';
import type { FakeEvent } from '@/e2e/fixtures/fake-stripe';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { listDisputesOf, listDisputesToAnswer } from '@/server/domain/disputes';
import { newId } from '@/server/domain/kernel/ids';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { settleTopUp } from '@/server/domain/top-ups';
import { openPaidTable } from '@/server/testing/bill-payments';
import { recordingEvents } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { stripeWebhook } from '@/server/testing/stripe-webhook';
import { topUpStage } from '@/server/testing/top-ups';

const stage = topUpStage();
const { send } = stripeWebhook(stage);

/** A paid top-up of 100.00 with a bonus of 20.00, or a paid bill of 100.00. */
const scenes = {
  'a top-up': async () => {
    const { ctx, merchant, customer, beginByCard, balance } = await stage.scene({ ...recordingEvents });
    const { session, ...asked } = await beginByCard();
    stage.stripe.pay(session.id);
    await settleTopUp(ctx, asked);
    const staff = await createStaff(stage.owner, ctx, merchant.id, 'owner');
    const left = async () => {
      const { principal, bonus } = await balance();
      return principal + bonus;
    };
    return { merchant, customer, session, staff, left, full: 12_000, blocked: 0 };
  },
  'a bill': async () => {
    const { merchant, services, pay, look } = await openPaidTable(stage, 10_000, { settings: { ...recordingEvents } });
    const { session } = await pay();
    const staff = await createStaff(stage.owner, services, merchant.id, 'owner');
    // The till has sold it: a dispute changes nothing on the bill.
    return {
      merchant,
      customer: null,
      session,
      staff,
      left: async () => (await look()).paid,
      full: 10_000,
      blocked: 10_000,
    };
  },
};
type Scene = Awaited<ReturnType<(typeof scenes)[keyof typeof scenes]>>;

/** Has Stripe carry the dispute to its end. Returns the events that it sends, in their order. */
function dispute({ session }: Scene, end: 'won' | 'lost'): FakeEvent[] {
  const from = stage.stripe.events.length;
  stage.stripe.dispute(session.id);
  stage.stripe.changeDispute(session.id, 'under_review');
  stage.stripe.changeDispute(session.id, end);
  return stage.stripe.events.slice(from);
}

const statesOf = async ({ merchant, staff }: Scene) => {
  const disputes = await stage.owner`select status from card_disputes where merchant_id = ${merchant.id}`;
  return { disputes: disputes.map(({ status }) => status), toAnswer: (await listDisputesToAnswer(staff)).length };
};

const toldOf = async ({ merchant }: Scene) => {
  const rows = await stage.owner`
    select type from events where merchant_id = ${merchant.id} and type like 'dispute.%' order by xid, seq`;
  return rows.map(({ type }) => type);
};

describe.each(['a top-up', 'a bill'] as const)('a dispute of %s', (of) => {
  test('is followed event by event, each sent twice', async () => {
    const scene = await scenes[of]();
    const { session, left, full, blocked } = scene;
    const step = async (change: () => unknown) => {
      const from = stage.stripe.events.length;
      change();
      const events = stage.stripe.events.slice(from);
      for (const event of [...events, ...events]) expect(await send(event)).toBe(200);
      return events.map(({ type }) => type.replace('charge.dispute.', ''));
    };
    expect(await step(() => stage.stripe.dispute(session.id))).toEqual(['created', 'funds_withdrawn']);
    expect(await statesOf(scene)).toEqual({ disputes: ['needs_response'], toAnswer: 1 });
    expect(await left()).toBe(blocked);
    expect(await step(() => stage.stripe.changeDispute(session.id, 'under_review'))).toEqual(['updated']);
    expect(await statesOf(scene)).toEqual({ disputes: ['under_review'], toAnswer: 0 });
    expect(await step(() => stage.stripe.changeDispute(session.id, 'won'))).toEqual(['funds_reinstated', 'closed']);
    expect(await statesOf(scene)).toEqual({ disputes: ['won'], toAnswer: 0 });
    expect(await left()).toBe(full);
    expect(await toldOf(scene)).toEqual(['dispute.opened', 'dispute.closed']);
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test.each(['won', 'lost'] as const)('that was %s has this result in any order and number', async (end) => {
    const orders: ((events: FakeEvent[]) => FakeEvent[])[] = [
      (events) => events.toReversed(),
      (events) => [...events.toReversed(), ...events],
      // The first one is lost.
      (events) => events.slice(1),
    ];
    for (const order of orders) {
      const scene = await scenes[of]();
      for (const event of order(dispute(scene, end))) expect(await send(event)).toBe(200);
      expect(await statesOf(scene)).toEqual({ disputes: [end], toAnswer: end === 'lost' ? 1 : 0 });
      expect(await scene.left()).toBe(end === 'won' ? scene.full : scene.blocked);
      expect(await toldOf(scene)).toEqual(['dispute.closed']);
    }
    const scene = await scenes[of]();
    const events = dispute(scene, end);
    expect(await Promise.all([...events, ...events].map(send))).toEqual(Array(2 * events.length).fill(200));
    expect(await statesOf(scene)).toMatchObject({ disputes: [end] });
    expect(await toldOf(scene)).toEqual(['dispute.closed']);
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test.each([1, 2, 3])('whose other events are lost is known from its event %i', async (which) => {
    const scene = await scenes[of]();
    const event = dispute(scene, 'lost')[which] as FakeEvent;
    expect(event.type).not.toBe('charge.dispute.created');
    expect(await send(event)).toBe(200);
    expect(await statesOf(scene)).toEqual({ disputes: ['lost'], toAnswer: 1 });
    expect(await scene.left()).toBe(scene.blocked);
  });
});

test('a dispute of an erased customer names no one, and ends as any other', async () => {
  const scene = await scenes['a top-up']();
  const { customer, staff, session } = scene;
  const customerId = customer?.id as string;
  stage.stripe.dispute(session.id);
  expect(await send(stage.stripe.events.at(-1) as FakeEvent)).toBe(200);
  await callAs(staff).customers.erase({ customerId });
  const [found] = await listDisputesOf(staff, { customerId });
  expect(found).toMatchObject({ customerName: 'Erased customer', status: 'needs_response' });
  expect(JSON.stringify(found)).not.toContain('Ada');
  stage.stripe.changeDispute(session.id, 'won');
  expect(await send(stage.stripe.events.at(-1) as FakeEvent)).toBe(200);
  expect(await listDisputesOf(staff, { customerId })).toMatchObject([{ status: 'won' }]);
  expect(await stage.ledgerViolations()).toEqual([]);
});

test('a dispute of a top-up that was spent is a line without an amount, with its own name', async () => {
  const scene = await scenes['a top-up']();
  const { customer, staff, session, merchant } = scene;

  const till = await authenticateKey(stage.services(), merchant.stores[0].key);
  const customerId = customer?.id as string;
  await redeemStoredValue(till, { transactionId: newId(), customer: { customerId }, amount: 12_000 });
  stage.stripe.dispute(session.id);
  expect(await send(stage.stripe.events.at(-1) as FakeEvent)).toBe(200);
  const { items } = await callAs(staff).customers.ledger({ customerId });
  expect(items.map(({ type, isDispute, moved }) => [type, isDispute, moved.principal + moved.bonus])).toEqual([
    ['adjustment', true, 0],
    ['redeemStoredValue', false, -12_000],
    ['topUp', false, 12_000],
  ]);
});
