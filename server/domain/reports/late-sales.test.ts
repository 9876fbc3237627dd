/** Sales count when they happened at the till, and their voids too if the bill is sent again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { dateIn, daysBefore } from '../kernel/calendar';
import { submitSale } from '../sales/submit';
import { voidTransactions } from '../transactions/void';
import { homeFigures } from './home';
import { rollUpReports } from './roll-up';
import { salesBreakdown } from './sales-breakdown';
import { salesByDayAndStore } from './sales-report';

const database = ownDatabase();

interface Scene {
  at: string;
  timeZone?: string;
  dayStartsAt?: number;
  /** Of the second store; null for the merchant's. */
  storeStartsAt?: number | null;
}

async function createScene({ at, timeZone = 'Asia/Singapore', dayStartsAt = 0, storeStartsAt = null }: Scene) {
  const { owner, db } = database;
  let now = new Date(at);
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner, { time_zone: timeZone });
  await owner`update merchants set day_starts_at = ${dayStartsAt} where id = ${merchant.id}`;
  await owner`update stores set day_starts_at = ${storeStartsAt} where id = ${merchant.stores[1].id}`;
  const tills = await Promise.all(merchant.stores.map(({ key }) => authenticateKey(services, key)));
  const staff = await createStaff(owner, services, merchant.id);
  const tillOf = (store: number) => tills[store] as (typeof tills)[number];
  const sell = (transactionId: string, total: number, { billId, occurredAt, store = 0 }: Sent = {}) =>
    submitSale(tillOf(store), {
      transactionId,
      billId,
      occurredAt,
      closedAt: now.toISOString(),
      subtotal: total,
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      total,
      lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: total, amount: total }],
      payments: [{ method: 'cash', amount: total }],
    });
  const undo = (transactionId: string, store = 0) =>
    voidTransactions(tillOf(store), { transactionIds: [transactionId] });
  const on = (moment: string | Date) => {
    now = new Date(moment);
  };
  const sales = async (from: string, to = from) =>
    (await callAs(staff).reports.sales({ from, to })).days.map(({ sales, changedAt }) => [sales, changedAt]);
  return { merchant, services, staff, sell, undo, on, sales, now: () => now };
}

interface Sent {
  billId?: string | undefined;
  occurredAt?: string | undefined;
  store?: number;
}

test('lunch of a till that was off until the next day counts at lunch, and the day says that it changed', async () => {
  const { services, staff, sell, on, sales } = await createScene({ at: '2026-03-10T20:00:00+08:00' });
  await sell('dinner', 5_000);
  on('2026-03-11T09:00:00+08:00');
  await sell('lunch', 1_200, { occurredAt: '2026-03-10T12:30:00+08:00' });
  await sell('noodles', 800);
  const changedAt = new Date('2026-03-11T09:00:00+08:00');
  const check = async () => {
    expect(await sales('2026-03-10', '2026-03-11')).toEqual([
      [6_200, changedAt],
      [800, null],
    ]);
    const day = { from: '2026-03-10', to: '2026-03-10' };
    const hours = await salesBreakdown(staff, { ...day, by: 'hour' });
    expect(hours.map(({ key, amount }) => [key, amount])).toEqual([
      ['12', 1_200],
      ['20', 5_000],
    ]);
    for (const by of ['item', 'payment', 'staff'] as const) {
      expect((await salesBreakdown(staff, { ...day, by }))[0]).toMatchObject({ amount: 6_200 });
    }
  };
  await check();
  on('2026-03-11T12:00:00+08:00');
  await rollUpReports(services);
  await check();
  on('2026-03-17T13:00:00+08:00');
  const { lastWeek } = await homeFigures(staff);
  expect(lastWeek).toMatchObject({ saleCount: 1, sales: 1_200 });
});

test('the void of a sale counts on its own day, unless the bill is sent again for the day of the sale', async () => {
  const { services, sell, undo, on, sales } = await createScene({ at: '2026-03-10T12:00:00+08:00' });
  const occurredAt = '2026-03-10T12:00:00+08:00';
  await sell('wrong', 5_000, { billId: '17' });
  await sell('returned', 700, { billId: '18' });
  on('2026-03-11T10:00:00+08:00');
  await undo('wrong');
  await undo('returned');
  // The till counts its bills anew each day: this one corrects nothing.
  await sell('another 18', 300, { billId: '18' });
  expect(await sales('2026-03-10', '2026-03-11')).toEqual([
    [5_700, null],
    [-5_400, null],
  ]);
  on('2026-03-11T12:00:00+08:00');
  await rollUpReports(services);
  on('2026-03-12T09:00:00+08:00');
  await sell('right', 500, { billId: '17', occurredAt });
  const changedAt = new Date('2026-03-12T09:00:00+08:00');
  const check = async () =>
    expect(await sales('2026-03-10', '2026-03-12')).toEqual([
      [1_200, changedAt],
      [-400, changedAt],
      [0, null],
    ]);
  await check();
  on('2026-03-12T12:00:00+08:00');
  await rollUpReports(services);
  await check();
});

test('days start at the merchant’s hour, and in some stores at their own, also after the hour was changed', async () => {
  const { merchant, services, staff, sell, on, sales } = await createScene({
    at: '2026-03-11T01:30:00+08:00',
    storeStartsAt: 2,
  });
  await sell('after midnight', 100);
  await sell('in the other store', 20, { store: 1 });
  expect(await sales('2026-03-10', '2026-03-11')).toEqual([
    [20, null],
    [100, null],
  ]);
  on('2026-03-11T04:30:00+08:00');
  await rollUpReports(services);
  const { settings, stores } = callAs(staff);
  await settings.change({ dayStartsAt: 4 });
  await stores.change({ storeId: merchant.stores[1].id, dayStartsAt: 1 });
  await rollUpReports(services);
  expect(await sales('2026-03-10', '2026-03-11')).toEqual([
    [100, null],
    [20, null],
  ]);
  const rows = await database.owner`
    select action, before, after from audit_log
    where merchant_id = ${merchant.id} and action in ('settings.change', 'store.change') order by action`;
  const hours = rows.map(({ before, after }) => [JSON.parse(before).dayStartsAt, JSON.parse(after).dayStartsAt]);
  expect(hours).toEqual([
    [0, 4],
    [2, 1],
  ]);
});

const zones = ['Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin'];
const histories = fc.record({
  timeZone: fc.constantFrom(...zones),
  dayStartsAt: fc.integer({ min: 0, max: 6 }),
  storeStartsAt: fc.option(fc.integer({ min: 0, max: 6 })),
  events: fc.array(
    fc.record({
      what: fc.constantFrom('sale', 'sale', 'sale', 'void', 'void', 'rollUp'),
      hours: fc.nat(7),
      hoursLate: fc.oneof(fc.constant(0), fc.nat(30)),
      amount: fc.integer({ min: 1, max: 900 }),
      store: fc.nat(1),
      bill: fc.nat(1),
      pick: fc.nat(9),
    }),
    { minLength: 15, maxLength: 40 },
  ),
});

interface Row {
  uid: string;
  storeId: string;
  billId: string;
  amount: number;
  occurredAt: Date;
  createdAt: Date;
  voidId: string | null;
  voidedAt: Date | null;
}

/** What counts, when, and when it was recorded: computed from the rows as the guide's sentence says. */
function countsOf(rows: Row[], dayOf: (at: Date, storeId: string) => string) {
  return rows.flatMap((row) => {
    const { amount, storeId, voidId, voidedAt } = row;
    const sold = { storeId, at: row.occurredAt, recordedAt: row.createdAt, count: 1, amount };
    if (voidId === null || voidedAt === null) return [sold];
    const isAgain = (other: Row) =>
      other.storeId === storeId &&
      other.billId === row.billId &&
      other.uid > voidId &&
      dayOf(other.occurredAt, storeId) === dayOf(row.occurredAt, storeId);
    const again = rows.filter(isAgain).sort((a, b) => (a.uid < b.uid ? -1 : 1))[0];
    const back = { storeId, count: -1, amount: -amount };
    if (!again) return [sold, { ...back, at: voidedAt, recordedAt: voidedAt }];
    // The day of the void changes as well: it loses a return.
    const lost = { storeId, at: voidedAt, recordedAt: again.createdAt, count: 0, amount: 0 };
    return [sold, { ...back, at: row.occurredAt, recordedAt: again.createdAt }, lost];
  });
}

test('random histories of late sales, voids and bills sent again add up to a plain model, summed or not', async () => {
  const seen = { corrected: 0, late: 0, lastWeek: 0 };
  await fc.assert(
    fc.asyncProperty(histories, async ({ events, ...scene }) => {
      const { merchant, services, staff, sell, undo, on, now } = await createScene({
        at: '2026-03-26T09:00:00Z',
        ...scene,
      });
      const done: { transactionId: string; store: number }[] = [];
      for (const [n, { what, hours, hoursLate, amount, store, bill, pick }] of events.entries()) {
        on(new Date(now().getTime() + hours * 3_600_000 + 120_000));
        const transactionId = `t${n}`;
        if (what === 'rollUp') await rollUpReports(services);
        else if (what === 'void') {
          const one = done[pick % Math.max(1, done.length)];
          if (one) await undo(one.transactionId, one.store);
        } else {
          const occurredAt = new Date(now().getTime() - hoursLate * 3_600_000).toISOString();
          await sell(transactionId, amount, { billId: `B${bill}`, occurredAt, store });
          done.push({ transactionId, store });
        }
      }
      const rows = await database.owner<Row[]>`
        select uid, store_id as "storeId", bill_id as "billId", amount::int as amount, occurred_at as "occurredAt",
          created_at as "createdAt", void_id as "voidId", voided_at as "voidedAt"
        from transactions where merchant_id = ${merchant.id} and type = 'sale'`;
      const { timeZone, dayStartsAt, storeStartsAt } = scene;
      const hourOf = (storeId: string) =>
        storeId === merchant.stores[1].id ? (storeStartsAt ?? dayStartsAt) : dayStartsAt;
      const dayOf = (at: Date, storeId: string) => dateIn({ timeZone, dayStartsAt: hourOf(storeId) }, at);
      const counts = countsOf([...rows], dayOf);
      const check = async () => {
        const expected = new Map<string, { saleCount: number; sales: number; changedAt: Date | null }>();
        for (const { storeId, at, recordedAt, count, amount } of counts) {
          const day = dayOf(at, storeId);
          const sum = expected.get(`${day} ${storeId}`) ?? { saleCount: 0, sales: 0, changedAt: null };
          const isLater = dayOf(recordedAt, storeId) > day && (sum.changedAt === null || recordedAt > sum.changedAt);
          const changedAt = isLater ? recordedAt : sum.changedAt;
          expected.set(`${day} ${storeId}`, {
            saleCount: sum.saleCount + count,
            sales: sum.sales + amount,
            changedAt,
          });
        }
        const found = await salesByDayAndStore(staff, { from: '2026-03-20', to: '2026-05-20' });
        const read = found.map(({ day, storeId, saleCount, sales, changedAt }) => [
          `${day} ${storeId}`,
          { saleCount, sales, changedAt },
        ]);
        expect(new Map(read as [string, never][])).toEqual(expected);
      };
      await check();
      on(new Date(now().getTime() + 3_600_000));
      await rollUpReports(services);
      await check();
      const end = now().getTime();
      for (let days = 0; days < 8; days += 1) {
        on(new Date(end + days * 22 * 3_600_000));
        const sumAt = (until: Date) => {
          const date = dateIn({ timeZone, dayStartsAt }, until);
          const own = counts.filter(({ at, storeId }) => at <= until && dayOf(at, storeId) === date);
          return {
            saleCount: own.reduce((sum, { count }) => sum + count, 0),
            sales: own.reduce((sum, { amount }) => sum + amount, 0),
          };
        };
        const weekAgo = daysBefore(now(), 7, { timeZone });
        const { today, lastWeek } = await homeFigures(staff);
        expect([today, lastWeek]).toMatchObject([sumAt(now()), sumAt(weekAgo)]);
        if (lastWeek.saleCount !== 0) seen.lastWeek += 1;
      }
      seen.corrected += counts.filter(({ count }) => count === 0).length;
      seen.late += counts.filter(
        ({ at, recordedAt, storeId }) => dayOf(at, storeId) < dayOf(recordedAt, storeId),
      ).length;
    }),
    { numRuns: 12, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
  );
  // Histories without these would prove little.
  expect([seen.corrected > 3, seen.late > 10, seen.lastWeek > 3]).toEqual([true, true, true]);
}, 120_000);

test('the hours of a bar whose day ends at four come in the order of its night', async () => {
  const { staff, merchant, sell, on } = await createScene({ at: '2026-03-10T19:00:00+08:00', dayStartsAt: 4 });
  await sell('first', 100);
  on('2026-03-10T23:30:00+08:00');
  await sell('late', 200);
  on('2026-03-11T01:30:00+08:00');
  await sell('last', 300);
  const day = { from: '2026-03-10', to: '2026-03-10' };
  const hours = async (storeId?: string) =>
    (await salesBreakdown(staff, { ...day, storeId, by: 'hour' })).map(({ key, amount }) => [key, amount]);
  const night = [
    ['19', 100],
    ['23', 200],
    ['01', 300],
  ];
  expect(await hours()).toEqual(night);
  expect(await hours(merchant.stores[0].id)).toEqual(night);
});
