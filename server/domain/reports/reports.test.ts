/** Random histories, summed at random moments. Every report adds up to the ledger, entry by entry. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakdowns } from '@/db/kinds/lists';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { adjustBalance } from '../customers/adjust';
import { dateIn } from '../kernel/calendar';
import { clockAhead } from '../kernel/clock';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { expireValueOf } from '../ledger/expire';
import { redeemPoints } from '../points/redeem';
import { submitSale } from '../sales/submit';
import { cashOut } from '../stored-value/cash-out';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { redeemVoucher } from '../vouchers/redeem';
import { balancesReport } from './balances-report';
import { creditReport } from './credit-report';
import { liabilityReport, type Movement, pointsReport } from './ledger-report';
import { rollUpReports } from './roll-up';
import { salesBreakdown } from './sales-breakdown';
import { salesByDayAndStore, salesReport } from './sales-report';
import { type ReportedVoid, voidsByActor, voidsReport } from './voids-report';
import { voucherReport } from './voucher-report';

const database = ownDatabase();

/** A zone with daylight saving, and offsets of a half and of three quarters of an hour. */
const zones = ['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham', 'Europe/Berlin'];
/** Daylight saving begins in Europe on the 29th, and ends in Chatham on the 5th of April. */
const start = new Date('2026-03-27T09:00:00Z');
const period = { from: '2026-03-28', to: '2026-04-06' };

const what = fc.oneof(
  { weight: 3, arbitrary: fc.constant('topUp' as const) },
  { weight: 2, arbitrary: fc.constant('cashOut' as const) },
  { weight: 3, arbitrary: fc.constant('sale' as const) },
  { weight: 3, arbitrary: fc.constant('void' as const) },
  ...(['redeem', 'points', 'voucher', 'expire', 'adjust', 'rollUp'] as const).map((one) => fc.constant(one)),
);
const events = fc.array(
  fc.record({ what, hours: fc.nat(22), amount: fc.integer({ min: 1, max: 900 }), store: fc.nat(1), pick: fc.nat(9) }),
  { minLength: 12, maxLength: 40 },
);
type Event = typeof events extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Runs a history on a separate merchant. Returns someone who may read the reports. */
async function live(history: Event[], timeZone: string) {
  const { owner, db } = database;
  const merchant = await createMerchant(owner, { time_zone: timeZone, earn_per_amount: 10 });
  const packageId = await createFixedPackage(owner, merchant.id, {
    amount: 1_000,
    bonus: 150,
    bonus_expires_in_days: 2,
  });
  const campaignId = await createCampaign(owner, merchant.id);
  const { id: customerId } = await createCustomer(owner, merchant.id);
  await owner`update customers set joined_at = ${start} where merchant_id = ${merchant.id}`;
  let now = start;
  const services = testServices(db, { now: () => now });
  const tills = await Promise.all(merchant.stores.map(({ key }) => authenticateKey(services, key)));
  const staff = await createStaff(owner, services, merchant.id);
  const done: { store: number; transactionId: string }[] = [];
  const customer = { customerId };

  for (const [n, event] of history.entries()) {
    now = new Date(now.getTime() + event.hours * 60 * 60_000 + 1);
    const till = tills[event.store];
    if (!till) throw new Error('there are two stores');
    const transactionId = `t${n}`;
    const bill = { amount: event.amount + 500 };
    const total = event.amount;
    const work = {
      topUp: () => topUp(till, { transactionId, customer, packageId }),
      redeem: () => redeemStoredValue(till, { transactionId, customer, amount: event.amount }),
      cashOut: () => cashOut(till, { transactionId, customer, amount: event.amount }),
      points: () => redeemPoints(till, { transactionId, customer, points: event.pick + 1 }),
      sale: () =>
        submitSale(till, {
          transactionId,
          closedAt: now.toISOString(),
          subtotal: total,
          discount: 0,
          serviceCharge: 0,
          tax: 0,
          // All of it, so that its sum is that of the sales, as with every breakdown.
          taxIncluded: [{ rate: 10, amount: total }],
          total,
          ...(event.pick > 2 && { customer }),
          lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: total, amount: total }],
          payments: [{ method: 'cash', amount: total }],
        }),
      voucher: async () => {
        const voucherCode = await createVoucher(owner, merchant.id, { campaignId, customerId });
        return redeemVoucher(till, { transactionId, customer, voucherCode, bill });
      },
      void: () => {
        const found = done[event.pick % Math.max(done.length, 1)];
        return voidTransactions(tills[found?.store ?? 0] as typeof till, {
          transactionIds: [found?.transactionId ?? `unseen${n}`],
        });
      },
      expire: () => expireValueOf(services, { merchantId: merchant.id }),
      adjust: () =>
        adjustBalance(staff, {
          customerId,
          adjustmentId: newId(),
          amount: event.amount,
          expiresOn: null,
          reason: 'Counted anew',
          part: (['principal', 'bonus', 'points'] as const)[event.pick % 3] ?? 'bonus',
          direction: event.store === 0 ? 'add' : 'take',
        }),
      rollUp: () => rollUpReports(services),
    }[event.what];
    const answer = await work().catch((error) => {
      if (!(error instanceof DomainError)) throw error;
    });
    if (answer && !['void', 'expire', 'adjust', 'rollUp'].includes(event.what))
      done.push({ store: event.store, transactionId });
  }
  // A report of future days would end today.
  now = new Date(Math.max(now.getTime(), Date.parse(`${period.from}T12:00:00Z`)));
  return { merchant, staff, services, timeZone };
}

interface Entry {
  id: number;
  store_id: string | null;
  type: string;
  part: string;
  kind: string;
  amount: number;
  created_at: Date;
}

/** Computes the expected report from the entries themselves. */
function reckon(entries: Entry[], timeZone: string): Omit<Movement, 'closing'> {
  const dayOf = ({ created_at }: Entry) => dateIn({ timeZone, dayStartsAt: 0 }, created_at);
  const sum = (picked: Entry[]) => picked.reduce((total, { amount }) => total + amount, 0);
  const within = entries.filter((entry) => dayOf(entry) >= period.from && dayOf(entry) <= period.to);
  const of = (...kinds: string[]) => sum(within.filter(({ kind }) => kinds.includes(kind)));
  const paidOut = sum(within.filter(({ type }) => type === 'cashOut'));
  const voidsOf = (...types: string[]) =>
    sum(within.filter(({ kind, type }) => kind === 'void' && types.includes(type)));
  return {
    opening: sum(entries.filter((entry) => dayOf(entry) < period.from)),
    granted: of('grant') + voidsOf('topUp', 'sale') + paidOut,
    spent:
      of('spend') -
      sum(within.filter(({ kind, type }) => kind === 'spend' && type === 'cashOut')) +
      voidsOf('redeemStoredValue', 'redeemPoints'),
    adjusted: of('adjustment') + voidsOf('adjustment'),
    expired: of('expiry', 'expiryReversal'),
  };
}

test('opening plus movements is closing, and all of it is the ledger, summed up or not, in any time zone', async () => {
  let [voids, expiries, adjustments, late] = [0, 0, 0, 0];
  await fc.assert(
    fc.asyncProperty(events, fc.constantFrom(...zones), async (history, timeZone) => {
      const { merchant, staff, services } = await live(history, timeZone);
      const rows = await database.owner<Entry[]>`
        select e.id::int as id, t.store_id, t.type, e.part, e.kind, e.amount::int as amount, e.created_at
        from ledger_entries e join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
        where e.merchant_id = ${merchant.id}`;
      const read = async () => ({
        value: await liabilityReport(staff, period),
        points: await pointsReport(staff, period),
        sales: await salesReport(staff, period),
        vouchers: await voucherReport(staff, period),
        voids: await voidsReport(staff, { ...period, limit: 50 }),
        actors: await voidsByActor(staff, period),
        parts: await Promise.all(breakdowns.map((by) => salesBreakdown(staff, { ...period, by }))),
        credit: await creditReport(staff),
        balances: (await balancesReport(staff, { day: period.to, limit: 50 })).items,
      });
      const before = await read();
      const sum = rows.reduce((total, { amount }) => total + amount, 0);
      const all = { entry_id: Math.max(0, ...rows.map(({ id }) => id)), sum: rows.length > 0 ? sum : null };
      // The worker stops at transactions that are still running, including those of other tests on this server.
      await expect
        .poll(async () => {
          await rollUpReports({ ...services, systemClock: clockAhead(services.clock, 3_600) });
          const [summed] = await database.owner`
            select entry_id::int, (select sum(granted + spent + expired + adjusted)::int from ledger_days
              where merchant_id = ${merchant.id}) as sum
            from report_progress where merchant_id = ${merchant.id}`;
          return summed;
        })
        .toEqual(all);
      expect(await read()).toEqual(before);

      for (const { stores, total, days } of [before.value, before.points]) {
        for (const [part, movement] of Object.entries<Movement>(total)) {
          const { closing, ...rest } = movement;
          expect(rest).toEqual(
            reckon(
              rows.filter((entry) => entry.part === part),
              timeZone,
            ),
          );
          expect(closing).toBe(Object.values(rest).reduce((sum, one) => sum + one, 0));
          expect((days.at(-1) as unknown as Record<string, Movement>)[part]?.closing).toBe(closing);
        }
        for (const { storeId, storeName, part, closing, ...rest } of stores) {
          const own = rows.filter((entry) => entry.store_id === storeId && entry.part === part);
          expect(rest).toEqual(reckon(own, timeZone));
          expect(closing).toBe(Object.values(rest).reduce((sum, one) => sum + one, 0));
        }
      }
      const { total } = before.sales;
      expect(total).toEqual(await takings(merchant.id, timeZone));
      // What gross has more than net is the list of what was voided, refunded or paid out, and of who did it.
      const takenBack =
        total.grossSales +
        total.grossTopUps +
        total.grossRedemptions +
        total.grossDiscount -
        (total.sales + total.topUps + total.redemptions + total.discount);
      const listed = before.voids.items.filter(({ type, isCorrection }) => type !== 'redeemPoints' && !isCorrection);
      const signOf = ({ type, kind }: ReportedVoid) => (type === 'cashOut' && kind === 'void' ? -1 : 1);
      expect(listed.reduce((sum, one) => sum + signOf(one) * one.amount, 0)).toBe(takenBack);
      expect(before.actors.reduce((sum, { count }) => sum + count, 0)).toBe(listed.length);
      // The same figure must be equal on every tab.
      const { principal, bonus } = before.value.total;
      expect([principal.granted, 0 - principal.spent - bonus.spent]).toEqual([total.topUps, total.redemptions]);
      expect(0 - before.points.total.points.spent).toBe(total.pointsRedeemed);
      const sumOf = <Row>(of: Row[], value: (row: Row) => number) => of.reduce((sum, row) => sum + value(row), 0);
      for (const parts of before.parts) {
        expect(sumOf(parts, ({ amount }) => amount)).toBe(total.sales);
        expect(sumOf(parts, ({ quantity }) => quantity)).toBe(total.saleCount);
      }
      const { ages, months, later, never } = before.credit;
      for (const part of ['principal', 'bonus', 'points'] as const) {
        const held = sumOf(
          rows.filter((entry) => entry.part === part),
          ({ amount }) => amount,
        );
        expect(sumOf(ages, (age) => age[part])).toBe(held);
        expect(sumOf([...months, later, never], (one) => one[part])).toBe(held);
        const closing = part === 'points' ? before.points.total.points.closing : before.value.total[part].closing;
        expect(sumOf(before.balances, (customer) => customer[part])).toBe(closing);
      }
      const { redeemed, discount } = before.vouchers.total;
      expect({ redeemed, discount }).toEqual({
        redeemed: before.sales.total.voucherCount,
        discount: before.sales.total.discount,
      });
      const cut = await salesByDayAndStore(staff, period);
      expect(cut.reduce((sum, { sales }) => sum + sales, 0)).toBe(before.sales.total.sales);
      const countOf = (wanted: string) => rows.filter(({ kind }) => kind === wanted).length;
      voids += countOf('void');
      expiries += countOf('expiry');
      adjustments += countOf('adjustment');
      late += rows.filter(
        ({ created_at }) =>
          dateIn({ timeZone, dayStartsAt: 0 }, created_at) !== dateIn({ timeZone: 'UTC', dayStartsAt: 0 }, created_at),
      ).length;
    }),
    { numRuns: 15, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
  );
  // Histories without voids, or whose days are those of UTC, would prove little.
  expect(Math.min(voids, late)).toBeGreaterThan(10);
  expect(Math.min(expiries, adjustments)).toBeGreaterThan(2);
});

/** Computes the period's takings from the transactions themselves. */
async function takings(merchantId: string, timeZone: string) {
  const rows = await database.owner<{ type: string; amount: number; created_at: Date; voided_at: Date | null }[]>`
    select type, amount::int as amount, created_at, voided_at from transactions
    where merchant_id = ${merchantId} and amount is not null and type is not null`;
  const isWithin = (at: Date | null) =>
    at &&
    dateIn({ timeZone, dayStartsAt: 0 }, at) >= period.from &&
    dateIn({ timeZone, dayStartsAt: 0 }, at) <= period.to;
  const of = (type: string) => {
    const own = rows.filter((row) => row.type === type);
    const booked = own.filter(({ created_at }) => isWithin(created_at));
    const voided = own.filter(({ voided_at }) => isWithin(voided_at));
    const sum = (some: { amount: number }[]) => some.reduce((total, { amount }) => total + amount, 0);
    return {
      count: booked.length - voided.length,
      amount: sum(booked) - sum(voided),
      grossCount: booked.length,
      gross: sum(booked),
    };
  };
  const [sale, top, paidOut, redemption, points, voucher] = [
    'sale',
    'topUp',
    'cashOut',
    'redeemStoredValue',
    'redeemPoints',
    'redeemVoucher',
  ].map(of);
  return {
    saleCount: sale?.count,
    grossSaleCount: sale?.grossCount,
    grossSales: sale?.gross,
    sales: sale?.amount,
    topUpCount: top?.count,
    grossTopUpCount: top?.grossCount,
    grossTopUps: top?.gross,
    topUps: (top?.amount ?? 0) - (paidOut?.amount ?? 0),
    redemptionCount: redemption?.count,
    grossRedemptionCount: redemption?.grossCount,
    grossRedemptions: redemption?.gross,
    redemptions: redemption?.amount,
    pointsRedemptionCount: points?.count,
    grossPointsRedemptionCount: points?.grossCount,
    grossPointsRedeemed: points?.gross,
    pointsRedeemed: points?.amount,
    voucherCount: voucher?.count,
    grossVoucherCount: voucher?.grossCount,
    grossDiscount: voucher?.gross,
    discount: voucher?.amount,
  };
}
