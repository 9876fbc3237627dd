/** What Stripe paid out, by payout and merchant. */
import { expect, test } from 'vitest';
import { queriesOn } from '@/db/driver';
import { fakeStripeEnv } from '@/e2e/fixtures/fake-stripe';
import { openPaidTable } from '@/server/testing/bill-payments';
import { topUpStage } from '@/server/testing/top-ups';
import { settleTopUp } from '../domain/top-ups';
import { listCardPayouts, main, toFile } from './card-payouts';

const stage = topUpStage();
const dayMs = 24 * 60 * 60_000;

const list = (merchantId?: string) =>
  listCardPayouts(
    queriesOn(stage.owner),
    { key: fakeStripeEnv('').STRIPE_SECRET_KEY, base: stage.stripe.origin },
    { from: new Date(Date.now() - dayMs), to: new Date(Date.now() + 9 * dayMs) },
    merchantId,
  );

test('each merchant’s part of a payout has its payments, fees, refunds and disputes, and all parts are the payout', async () => {
  const { ctx, merchant, beginByCard } = await stage.scene();
  const topUps = [await beginByCard(), await beginByCard()];
  for (const one of topUps) {
    stage.stripe.pay(one.session.id);
    await settleTopUp(ctx, one);
  }
  const bill = await openPaidTable(stage, 4_000);
  const { session } = await bill.pay();
  stage.stripe.refund(session.id, 1_000);
  stage.stripe.dispute(topUps[0]?.session.id ?? '');
  const payout = stage.stripe.payOut();
  const rows = await list();
  expect(rows).toHaveLength(2);
  expect(rows.find(({ merchantId }) => merchantId === merchant.id)).toMatchObject({
    payoutId: payout.id,
    merchantName: 'Test Kitchen',
    currency: 'SGD',
    payments: 2,
    gross: 20_000,
    fees: -2 * 390 - 1_500,
    refunds: 0,
    disputes: -10_000,
    other: 0,
    net: 20_000 - 780 - 1_500 - 10_000,
  });
  expect(rows.find(({ merchantId }) => merchantId === bill.merchant.id)).toMatchObject({
    payments: 1,
    gross: 4_000,
    refunds: -1_000,
    fees: -186,
    net: 2_814,
  });
  expect(rows.reduce((sum, { net }) => sum + net, 0)).toBe(payout.amount);

  // What is won and refunded later is in a later payout.
  stage.stripe.changeDispute(topUps[0]?.session.id ?? '', 'won');
  stage.stripe.refund(session.id);
  const next = stage.stripe.payOut();
  const later = (await list()).filter(({ payoutId }) => payoutId === next.id);
  expect(later.reduce((sum, { net }) => sum + net, 0)).toBe(next.amount);
  expect(later.find(({ merchantId }) => merchantId === bill.merchant.id)).toMatchObject({
    refunds: -3_000,
    payments: 0,
  });
  expect(new Set((await list(bill.merchant.id)).map(({ merchantId }) => merchantId))).toEqual(
    new Set([bill.merchant.id]),
  );
});

test('the file has amounts with decimals, and losses below zero', async () => {
  const { ctx, beginByCard } = await stage.scene();
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  stage.stripe.payOut();
  stage.stripe.dispute(session.id);
  stage.stripe.payOut();
  await expect(main(['--from', '1 May', '--to', '2026-11-30'])).rejects.toThrow('--from must be a day');
  const [heading, ...lines] = (await toFile(await list(ctx.merchant.id))).trim().split('\n');
  expect(heading).toContain('Arrival,Payout,Status,Merchant ID,Merchant,Currency,Payments,Gross,Fees');
  expect(lines.map((line) => line.split(',').slice(6))).toEqual([
    ['1', '100', '-3.9', '0', '0', '0', '96.1'],
    ['0', '0', '-15', '0', '-100', '0', '-115'],
  ]);
});
