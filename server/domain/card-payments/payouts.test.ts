/** What Stripe paid out, as staff see it, and when Stripe does not tell. */
import { addDays, formatISO, subDays } from 'date-fns';
import { expect, test } from 'vitest';
import { fakeStripeEnv } from '@/e2e/fixtures/fake-stripe';
import { recordedExport } from '@/server/csv/recorded';
import { reportExports } from '@/server/csv/reports';
import { toCsv } from '@/server/csv/write';
import { connectStripe, listPayoutParts } from '@/server/gateways/stripe-payouts';
import { openPaidTable } from '@/server/testing/bill-payments';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { settleTopUp } from '../top-ups';

const stage = topUpStage();
const dayAt = (date: Date) => formatISO(date, { representation: 'date' });
const days = { from: dayAt(subDays(new Date(), 2)), to: dayAt(addDays(new Date(), 1)) };

/** A top-up that was paid out, with a part of a payout that is another merchant's. */
async function createPayout() {
  const { ctx, merchant, beginByCard } = await stage.scene();
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  const other = await openPaidTable(stage, 4_000);
  await other.pay();
  const payout = stage.stripe.payOut();
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
  return { payout, session, staff, merchant };
}

test('a manager sees the merchant’s part of each payout, the newest first, and can download it', async () => {
  const { payout, session, staff } = await createPayout();
  stage.stripe.refund(session.id, 1_000);
  stage.stripe.dispute(session.id, { amount: 500 });
  const next = stage.stripe.payOut();
  const { takesCards, payouts } = await callAs(staff).reports.payouts(days);
  expect(takesCards).toBe(true);
  const zero = { gross: 0, fees: 0, refunds: 0, disputes: 0, other: 0, payments: 0, currency: 'SGD', status: 'paid' };
  const arrivesOn = new Date().toISOString().slice(0, 10);
  expect(payouts).toEqual([
    { ...zero, arrivesOn, payoutId: next.id, refunds: -1_000, disputes: -500, fees: -1_500, net: -3_000 },
    { ...zero, arrivesOn, payoutId: payout.id, payments: 1, gross: 10_000, fees: -390, net: 9_610 },
  ]);
  const file = reportExports['report-payouts'];
  const csv = await new Response(file?.open(staff, { ...days, compare: 'before' })).text();
  expect(csv.trim().split('\n').at(-1)).toBe(`${arrivesOn},${payout.id},paid,SGD,1,100,-3.9,0,0,0,96.1`);
});

test('a payout by hand, of which Stripe tells no transactions, hides no other', async () => {
  const { payout, staff } = await createPayout();
  const { ctx, merchant, beginByCard } = await stage.scene();
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  stage.stripe.payOut(null, { automatic: false });
  const other = await createStaff(stage.owner, ctx, merchant.id, 'manager');
  expect((await callAs(staff).reports.payouts(days)).payouts).toMatchObject([{ payoutId: payout.id }]);
  expect((await callAs(other).reports.payouts(days)).payouts).toEqual([]);
});

test('staff of one store are refused: payouts are of all stores', async () => {
  const { staff, merchant } = await createPayout();
  const [store] = await stage.owner`select id from stores where merchant_id = ${merchant.id} limit 1`;
  const ofOne = await createStaff(stage.owner, staff, merchant.id, 'manager', [store?.id]);
  await expect(callAs(ofOne).reports.payouts(days)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('if Stripe is away or does not show its payouts, screen and file say so', async () => {
  const { staff } = await createPayout();
  const read = () => callAs(staff).reports.payouts(days);
  const download = () =>
    recordedExport(staff, 'report-payouts', toCsv, (write) =>
      (reportExports['report-payouts'] as (typeof reportExports)[string]).open(staff, days, write),
    );
  stage.stripe.fault = 'away';
  for (const call of [read, download]) await expect(call()).rejects.toThrow('Card payments are unavailable right now');
  stage.stripe.fault = 'forbidden payouts';
  for (const call of [read, download]) await expect(call()).rejects.toThrow('must be allowed to read payouts');
  stage.stripe.fault = null;
  expect((await read()).payouts).toHaveLength(1);
});

test('reading ends at its bounds, and takes at most 31 days', async () => {
  const { staff } = await createPayout();
  const stripe = connectStripe(fakeStripeEnv('').STRIPE_SECRET_KEY, stage.stripe.origin, null);
  const all = { from: subDays(new Date(), 1), to: addDays(new Date(), 1) };
  const reading = listPayoutParts(stripe, all, async () => null, { until: Date.now() - 1, options: {} });
  await expect(reading).rejects.toThrow('Stripe takes too long');
  const tooLong = { from: '2026-01-01', to: '2026-02-01' };
  await expect(callAs(staff).reports.payouts(tooLong)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('without Stripe, the report says that cards are off', async () => {
  const { ctx, merchant } = await stage.scene({}, { withStripe: false });
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'owner');
  expect(await callAs(staff).reports.payouts(days)).toEqual({ takesCards: false, payouts: [] });
});
