/** Card top-ups count towards what a customer may be given in a day. */
import { expect, test } from 'vitest';
import { createFixedPackage } from '@/server/testing/factory';
import { topUpStage } from '@/server/testing/top-ups';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { listTopUpOffers } from './begin';
import { cancelTopUp } from './change';
import { settleTopUp } from './settle';
import { topUp } from './top-up';
import { getTopUpRequest } from './view';

const stage = topUpStage();
const dayMs = 24 * 60 * 60_000;

/** A merchant with a package of 20.00 and a bonus of 5.00, besides that of 100.00 and 20.00. */
async function createScene(limits: object) {
  const scene = await stage.scene({ ...limits });
  const small = await createFixedPackage(stage.owner, scene.merchant.id, { amount: 2_000, bonus: 500 });
  const reported = async () => {
    const rows = await stage.owner`
      select actor_kind, subject_kind, after from audit_log
      where merchant_id = ${scene.merchant.id} and action = 'limit.exceeded'`;
    return rows.map(({ after, ...row }) => ({ ...row, after: JSON.parse(after) }));
  };
  return { ...scene, small, reported };
}

test('100.00 do not pass a limit of 50.00, and the owner hears of it once', async () => {
  const { begin, beginByCard, small, reported } = await createScene({ customer_daily_value: 5_000 });
  const before = stage.stripe.sessions.size;
  for (const _ of [1, 2]) {
    await expect(begin()).rejects.toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'customerDailyValue', maximum: 5_000, used: 0 },
    });
  }
  expect(stage.stripe.sessions.size).toBe(before);
  expect(await reported()).toEqual([
    {
      actor_kind: 'diner',
      subject_kind: 'customer',
      after: { customerDailyValue: 5_000, attemptedValue: 12_000 },
    },
  ]);
  await beginByCard({ packageId: small });
});

test('several begun at once do not pass it together; one that was given up does not count', async () => {
  const { ctx, begin, small } = await createScene({ customer_daily_value: 6_000 });
  const begun = await Promise.allSettled([1, 2, 3, 4].map(() => begin({ packageId: small })));
  const open = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(open.length).toBe(2);
  await cancelTopUp(ctx, open[0] as { topUpRequestId: string });
  await begin({ packageId: small });
  await expect(begin({ packageId: small })).rejects.toMatchObject({ code: 'limit_exceeded' });
});

test('the customer sees what was begun and counts, until when, and takes it back at once', async () => {
  const { ctx, begin, beginByCard, small } = await createScene({ customer_daily_value: 4_000 });
  const { session, topUpRequestId } = await beginByCard({ packageId: small });
  await expect(begin({ packageId: small })).rejects.toMatchObject({ code: 'limit_exceeded' });
  const { begun } = await listTopUpOffers(ctx);
  const { checkoutUrl, expiresAt } = await getTopUpRequest(ctx, { topUpRequestId });
  expect(begun).toEqual([{ topUpRequestId, amount: 2_000, expiresAt, checkoutUrl }]);
  await cancelTopUp(ctx, { topUpRequestId });
  expect(session.status).toBe('expired');
  expect((await listTopUpOffers(ctx)).begun).toEqual([]);
  await begin({ packageId: small });
});

test('what was begun is nobody else’s, ends with its time, and is not shown once the payer is done', async () => {
  const { ctx, beginByCard, begin, small } = await createScene({});
  const slow = await beginByCard({ packageId: small });
  stage.stripe.pay(slow.session.id, 'processing');
  await settleTopUp(ctx, slow);
  await begin({ packageId: small, method: 'counter' });
  expect((await listTopUpOffers(ctx)).begun).toEqual([]);
  await begin({ packageId: small });
  expect((await listTopUpOffers((await stage.scene()).ctx)).begun).toEqual([]);
  expect((await listTopUpOffers(ctx)).begun).toHaveLength(1);
  stage.travel(60 * 60_000 + 1);
  expect((await listTopUpOffers(ctx)).begun).toEqual([]);
});

test('what was paid by card counts at tills on that day, too, and not on the next', async () => {
  const { ctx, merchant, customer, beginByCard, begin, small, balance } = await createScene({
    customer_daily_value: 6_000,
  });
  const till = await authenticateKey(ctx, merchant.stores[0].key);
  const atTill = () =>
    topUp(till, { transactionId: newId(), customer: { customerId: customer.id }, packageId: small } as never);
  for (const _ of [1, 2]) {
    const { session, ...asked } = await beginByCard({ packageId: small });
    stage.stripe.pay(session.id);
    await settleTopUp(ctx, asked);
  }
  await expect(atTill()).rejects.toMatchObject({ code: 'limit_exceeded', details: { used: 5_000 } });
  await expect(begin({ packageId: small })).rejects.toMatchObject({ code: 'limit_exceeded' });
  expect(await balance()).toEqual({ principal: 4_000, bonus: 1_000 });
  stage.travel(dayMs);
  await begin({ packageId: small });
  expect(await stage.ledgerViolations()).toEqual([]);
});

test('what was begun under the limit is credited, even if a till has used it up meanwhile', async () => {
  const { ctx, merchant, customer, beginByCard, small, balance } = await createScene({ customer_daily_value: 3_000 });
  const till = await authenticateKey(ctx, merchant.stores[0].key);
  const { session, ...asked } = await beginByCard({ packageId: small });
  await topUp(till, { transactionId: newId(), customer: { customerId: customer.id }, packageId: small } as never);
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  expect(await balance()).toEqual({ principal: 4_000, bonus: 1_000 });
});

test('a customer of the last seven days has a lower limit by card, and none at tills', async () => {
  const { ctx, merchant, customer, begin, beginByCard, small } = await createScene({
    customer_daily_value: 20_000,
    new_customer_daily_value: 3_000,
  });
  const till = await authenticateKey(ctx, merchant.stores[0].key);
  await expect(begin()).rejects.toMatchObject({
    code: 'limit_exceeded',
    details: { limit: 'newCustomerDailyValue', maximum: 3_000 },
  });
  for (const _ of [1, 2])
    await topUp(till, { transactionId: newId(), customer: { customerId: customer.id }, packageId: small } as never);
  const { session, ...asked } = await beginByCard({ packageId: small });
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  await expect(begin({ packageId: small })).rejects.toMatchObject({ details: { used: 2_500 } });
  await stage.owner`update customers set joined_at = joined_at - interval '8 days' where id = ${customer.id}`;
  await begin();
});
