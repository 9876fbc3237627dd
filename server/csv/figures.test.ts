/** Each figure has one name and one value in Reports, on Home, in the CSV files, the documentation and the ledger. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse';
import { expect, test } from 'vitest';
import { en } from '@/components/messages/en';
import { entryKind } from '@/db/schema';
import { ownDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { adjustBalance } from '@/server/domain/customers/adjust';
import { newId } from '@/server/domain/kernel/ids';
import { expireValueOf } from '@/server/domain/ledger/expire';
import { redeemPoints } from '@/server/domain/points/redeem';
import { rollUpReports } from '@/server/domain/reports';
import { submitSale } from '@/server/domain/sales/submit';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { topUp } from '@/server/domain/top-ups/top-up';
import { voidTransactions } from '@/server/domain/transactions/void';
import { redeemVoucher } from '@/server/domain/vouchers/redeem';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { exports } from './exports';

const database = ownDatabase();

const days = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'] as const;

/** Creates four days with every kind of transaction, and voids on the same and on later days. */
async function createScene() {
  const { owner, db } = database;
  let now = new Date(0);
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner, { earn_per_amount: 10 });
  const till = await authenticateKey(services, merchant.stores[0].key);
  const offer = { amount: 1_000, bonus: 150, bonus_expires_in_days: 2 };
  const packageId = await createFixedPackage(owner, merchant.id, offer);
  const campaignId = await createCampaign(owner, merchant.id);
  const { id: customerId } = await createCustomer(owner, merchant.id);
  const customer = { customerId };
  const staff = await createStaff(owner, services, merchant.id, 'manager');
  const on = (day: string) => {
    now = new Date(`${day}T04:00:00Z`);
  };
  const pay = (transactionId: string) => topUp(till, { transactionId, customer, packageId });
  const spend = (transactionId: string, amount: number) => redeemStoredValue(till, { transactionId, customer, amount });
  const sell = (transactionId: string, total: number) =>
    submitSale(till, {
      transactionId,
      customer,
      closedAt: now.toISOString(),
      subtotal: total,
      total,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: total, amount: total }],
      payments: [{ method: 'cash', amount: total }],
    });
  const use = async (transactionId: string) => {
    const voucherCode = await createVoucher(owner, merchant.id, { campaignId, customerId });
    return redeemVoucher(till, { transactionId, customer, voucherCode, bill: { amount: 2_000 } });
  };
  const undo = (...transactionIds: string[]) => voidTransactions(till, { transactionIds });
  const correct = (part: 'principal' | 'bonus' | 'points', direction: 'add' | 'take', amount: number) =>
    adjustBalance(staff, {
      customerId,
      adjustmentId: newId(),
      part,
      direction,
      amount,
      expiresOn: null,
      reason: 'Counted',
    });

  on(days[0]);
  await pay('a mistake');
  await undo('a mistake');
  await pay('top 1');
  await sell('sale 1', 4_000);
  await spend('lunch 1', 430);
  await spend('lunch 2', 270);
  await use('voucher 1');
  await pay('top 2');
  on(days[1]);
  await undo('lunch 2', 'voucher 1');
  await sell('sale 2', 900);
  await redeemPoints(till, { transactionId: 'points 1', customer, points: 120 });
  await redeemPoints(till, { transactionId: 'points 2', customer, points: 30 });
  await correct('bonus', 'add', 75);
  await correct('points', 'take', 5);
  on(days[2]);
  await undo('points 2', 'sale 2');
  await use('voucher 2');
  on(days[3]);
  await expireValueOf(services, { merchantId: merchant.id });
  await undo('top 2');
  await pay('top 4');
  await spend('dinner', 640);
  await undo('lunch 1');
  await correct('principal', 'take', 20);
  await expireValueOf(services, { merchantId: merchant.id });
  const read = async (list: string, query: Record<string, string>): Promise<Record<string, string>[]> =>
    parse(await new Response(exports[list]?.open(staff, query)).text(), { columns: true, bom: true }).toArray();
  return { merchant, staff, services, call: callAs(staff), read };
}

/** Sums a column of a file, in minor units or points. */
const sumOf = (rows: Record<string, string>[], column: string, scale = 100) =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[column]), 0) * scale);

test('every figure is the same on every tab, on Home, in the files and in the ledger', async () => {
  const { merchant, services, call, read } = await createScene();
  const entries = await database.owner<{ day: string; type: string; kind: string; part: string; amount: number }[]>`
    select (e.created_at at time zone 'Asia/Singapore')::date::text as day, t.type, e.kind, e.part, e.amount::int as amount
    from ledger_entries e join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
    where e.merchant_id = ${merchant.id}`;
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(entryKind.enumValues));
  const check = async (period: { from: string; to: string }) => {
    const [value, sales, points, vouchers] = await Promise.all([
      call.reports.liability(period),
      call.reports.sales(period),
      call.reports.points(period),
      call.reports.vouchers(period),
    ]);
    const files = {
      value: await read('report-liability', period),
      sales: await read('report-sales', period),
      points: await read('report-points', period),
      vouchers: await read('report-vouchers', period),
    };
    const inLedger = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
      entries
        .filter((entry) => entry.day >= period.from && entry.day <= period.to && isWanted(entry))
        .reduce((sum, { amount }) => sum + amount, 0);
    const { principal, bonus } = value.total;
    const agree = (...figures: number[]) =>
      expect(new Set(figures.map((figure) => figure + 0)).size, `${figures}`).toBe(1);
    const isMoney = ({ part }: { part: string }) => part !== 'points';
    agree(
      sales.total.topUps,
      principal.granted,
      sumOf(files.sales, 'topUps'),
      sumOf(
        files.value.filter(({ part }) => part === 'principal'),
        'added',
      ),
      inLedger(({ type, part }) => type === 'topUp' && part === 'principal'),
    );
    agree(
      principal.granted + bonus.granted,
      sumOf(files.value, 'added'),
      inLedger(({ type }) => type === 'topUp'),
    );
    agree(
      sales.total.redemptions,
      0 - principal.spent - bonus.spent,
      sumOf(files.sales, 'redemptions'),
      0 - sumOf(files.value, 'redemptions'),
      0 - inLedger(({ type }) => type === 'redeemStoredValue'),
    );
    agree(
      sales.total.pointsRedeemed,
      0 - points.total.points.spent,
      sumOf(files.sales, 'pointsRedeemed', 1),
      0 - sumOf(files.points, 'pointsRedeemed', 1),
      0 - inLedger(({ type }) => type === 'redeemPoints'),
    );
    agree(
      points.total.points.granted,
      sumOf(files.points, 'pointsEarned', 1),
      inLedger(({ type, part }) => type === 'sale' && part === 'points'),
    );
    agree(
      principal.expired + bonus.expired,
      sumOf(files.value, 'expired'),
      inLedger((entry) => entry.type === 'expiry' && isMoney(entry)),
    );
    agree(
      principal.adjusted + bonus.adjusted,
      sumOf(files.value, 'adjusted'),
      inLedger((entry) => entry.type === 'adjustment' && isMoney(entry)),
    );
    agree(sales.total.sales, sumOf(files.sales, 'sales'));
    agree(
      sales.total.discount,
      vouchers.total.discount,
      sumOf(files.sales, 'discount'),
      sumOf(files.vouchers, 'discount'),
    );
    agree(sales.total.voucherCount, vouchers.total.redeemed, sumOf(files.vouchers, 'redeemed', 1));
    agree(
      principal.closing + bonus.closing,
      sumOf(files.value, 'closing'),
      entries.filter((entry) => isMoney(entry) && entry.day <= period.to).reduce((sum, { amount }) => sum + amount, 0),
    );
    return { value, sales };
  };
  const checkAll = async () => {
    for (const day of days) await check({ from: day, to: day });
    await check({ from: days[0], to: days[3] });
    const home = await call.home.figures();
    const { value, sales } = await check({ from: days[3], to: days[3] });
    const { activeCustomers, ...today } = home.today;
    expect(sales.total).toMatchObject(today);
    expect(home.days.at(-1)).toEqual(sales.days.at(-1));
    expect(home.outstanding).toEqual({
      principal: value.total.principal.closing,
      bonus: value.total.bonus.closing,
    });
    return { home, value };
  };
  const before = await checkAll();
  expect(before.value.total.bonus.expired).toBeLessThan(0);
  await rollUpReports({ ...services, systemClock: { now: () => new Date('2026-03-13T05:00:00Z') } });
  expect(await checkAll()).toEqual(before);
});

test('the documentation has each figure with the definition that screens show', () => {
  const documented = readFileSync('docs/back-office.md', 'utf8').match(/^\| \*\*.*$/gm);
  expect(documented).toEqual(
    Object.values(en.figures).map(({ name, definition }) => `| **${name}** | ${definition} |`),
  );
});
