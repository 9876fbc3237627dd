/** What was paid and returned is compared with Stripe's balance each night. */
import { expect, test } from 'vitest';
import { openPaidTable } from '@/server/testing/bill-payments';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { settleTopUp } from '../top-ups';
import { reconcileCardPayments } from './reconcile';

const stage = topUpStage();
const hourMs = 60 * 60_000;

/** A night, some hours after what happened at Stripe. */
async function reconcile() {
  stage.travel(2 * hourMs);
  await reconcileCardPayments(stage.services());
}

const differencesOf = async (merchantId: string) => {
  const rows = await stage.owner`
    select subject_kind, after from audit_log where merchant_id = ${merchantId} and action = 'cardPayment.differs' order by id`;
  return rows.map(({ subject_kind, after }) => ({ kind: subject_kind, ...JSON.parse(after) }));
};

test('a payment, a refund and a dispute of which no event came are found, and nothing is reported', async () => {
  const { ctx, merchant, balance, beginByCard } = await stage.scene();
  const { session, topUpRequestId } = await beginByCard();
  stage.stripe.pay(session.id);
  const stateOf = async () => {
    const [row] = await stage.owner`select state from top_up_requests where id = ${topUpRequestId}`;
    return row?.state;
  };
  expect(await stateOf()).toBe('open');
  await reconcile();
  expect(await stateOf()).toBe('credited');
  expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });

  const other = await beginByCard();
  stage.stripe.pay(other.session.id);
  await settleTopUp(ctx, other);
  stage.stripe.refund(session.id);
  stage.stripe.dispute(other.session.id);
  await Promise.all([reconcile(), reconcile()]);
  expect(await stateOf()).toBe('refunded');
  expect(await balance()).toEqual({ principal: 0, bonus: 0 });
  const disputes = await stage.owner`select status from card_disputes where merchant_id = ${merchant.id}`;
  expect([...disputes]).toEqual([{ status: 'needs_response' }]);
  expect(await differencesOf(merchant.id)).toEqual([]);
  expect(await stage.ledgerViolations()).toEqual([]);
});

test('a refund of a bill of which no event came is found', async () => {
  const { merchant, pay, look, money } = await openPaidTable(stage, 1_000);
  const { session } = await pay();
  stage.stripe.refund(session.id, 300);
  await reconcile();
  expect(await look()).toMatchObject({ paid: 700, due: 300 });
  expect(await money()).toEqual({ atStripe: 700, kept: 700, owed: 0 });
  expect(await differencesOf(merchant.id)).toEqual([]);
});

test('what Stripe knows otherwise is reported once, with both sides, and shown on Home', async () => {
  const { ctx, merchant, beginByCard } = await stage.scene();
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'owner');
  const onHome = async () => (await callAs(staff).home.attention()).cardDifferences;
  await reconcile();
  expect(await onHome()).toBe(0);
  // As a faulty repair of the database does.
  await stage.owner`update top_up_requests set principal = 9000 where id = ${asked.topUpRequestId}`;
  await reconcile();
  await reconcile();
  expect(await differencesOf(merchant.id)).toEqual([
    { kind: 'topUpRequest', paid: 9_000, returned: 0, paidAtStripe: 10_000, returnedAtStripe: 0 },
  ]);
  expect(await onHome()).toBe(1);
  const { items } = await callAs(staff).auditLog.list({ action: 'cardPayment.differs' });
  expect(items).toHaveLength(1);
});

test('a payment that Stripe does not have is reported', async () => {
  const { merchant, pay } = await openPaidTable(stage, 1_000);
  const { session } = await pay();
  stage.stripe.sessions.delete(session.id);
  // In the first hour it may not be there yet.
  await reconcileCardPayments(stage.services());
  expect(await differencesOf(merchant.id)).toEqual([]);
  // A day later, since the bill's own time of the payment counts.
  stage.travel(24 * hourMs);
  await reconcile();
  expect(await differencesOf(merchant.id)).toEqual([
    { kind: 'bill', paid: 1_000, returned: 0, paidAtStripe: 0, returnedAtStripe: 0 },
  ]);
});

test('while Stripe can’t be reached, nothing is compared', async () => {
  const { merchant, pay } = await openPaidTable(stage, 1_000);
  await pay();
  stage.stripe.fault = 'away';
  stage.travel(2 * hourMs);
  await expect(reconcileCardPayments(stage.services())).rejects.toMatchObject({ code: 'service_unavailable' });
  stage.stripe.fault = null;
  expect(await differencesOf(merchant.id)).toEqual([]);
});
