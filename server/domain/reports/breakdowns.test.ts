/** Sales broken down; the age and the expiry of credit; balances as of a day. */
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import type { Breakdown } from '@/db/kinds/lists';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createMenu } from '@/server/testing/factory-ordering';
import { createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { adjustBalance } from '../customers/adjust';
import { newId } from '../kernel/ids';
import { expireValueOf } from '../ledger/expire';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { balancesReport } from './balances-report';
import { creditReport } from './credit-report';
import { rollUpReports } from './roll-up';
import { busyHours, salesBreakdown, salesOfPart, shownBreakdown } from './sales-breakdown';

const database = ownDatabase();

async function createScene(offer = {}) {
  const { owner, db } = database;
  let now = new Date('2026-03-10T04:00:00Z');
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner);
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200, ...offer });
  const [west, east] = await Promise.all(merchant.stores.map(({ key }) => authenticateKey(services, key)));
  if (!west || !east) throw new Error('there are two stores');
  const staff = await createStaff(owner, services, merchant.id);
  const on = (moment: string) => {
    now = new Date(moment);
  };
  const enrol = async () => {
    const { id } = await createCustomer(owner, merchant.id);
    await owner`update customers set joined_at = ${now} where merchant_id = ${merchant.id} and id = ${id}`;
    return id;
  };
  const pay = (customerId: string, transactionId = newId()) =>
    topUp(west, { transactionId, customer: { customerId }, packageId });
  return { merchant, services, west, east, staff, on, enrol, pay };
}

test('sales broken down, less voids at their own time, summed up or not', async () => {
  const { merchant, services, west, east, staff, on } = await createScene();
  await createMenu(database.owner, merchant.id, [{ plu: 'N1', name: 'Laksa Deluxe', price: 900 }]);
  const sell = (till: typeof west, transactionId: string, laksa: number, cash: number, staffId?: string) =>
    submitSale(till, {
      transactionId,
      closedAt: '2026-03-10T04:00:00Z',
      discount: 0,
      serviceCharge: 0,
      tax: 0,
      taxIncluded: [{ rate: 9, amount: 100 }, { amount: 10 }],
      subtotal: laksa * 900 + 500,
      total: laksa * 900 + 500,
      ...(staffId && { staffId }),
      ...(transactionId === 'evening' && { billId: 'B-1' }),
      lines: [
        { plu: 'N1', name: 'Laksa', quantity: laksa, unitPrice: 900, amount: laksa * 900 },
        { plu: 'K1', name: 'Kopi', quantity: 1, unitPrice: 500, amount: 500 },
      ],
      payments: [
        { method: 'cash', amount: cash },
        // One method, as tills write it.

        { method: till === west ? 'Credit-Card' : 'card', amount: laksa * 900 + 500 - cash },
      ],
    });
  await sell(west, 'noon', 2, 1_000, 'mei');
  await sell(east, 'noon', 1, 400);
  on('2026-03-10T11:30:00Z');
  const [codeId, placedAt] = [newId(), '2026-03-10T11:00:00Z'];
  const ofWest = { merchant_id: merchant.id, store_id: merchant.stores[0].id };
  await database.owner`insert into qr_codes ${database.owner({
    ...ofWest,
    id: codeId,
    bill_id: 'B-1',
    token_hash: Buffer.from(codeId),
    expires_at: '2026-03-11T00:00:00Z',
  })}`;
  await database.owner`insert into orders ${database.owner({
    ...ofWest,
    id: newId(),
    qr_code_id: codeId,
    number: 1,
    client_order_id: newId(),
    total: 500,
    placed_at: placedAt,
    updated_at: placedAt,
  })}`;
  await sell(west, 'evening', 0.5, 950 - 450, 'mei');
  await sell(west, 'a mistake', 4, 100, 'raj');
  on('2026-03-11T02:00:00Z');
  await voidTransactions(west, { transactionIds: ['a mistake'] });
  const day = { from: '2026-03-10', to: '2026-03-10' };
  const both = { from: '2026-03-10', to: '2026-03-11' };
  const read = async (by: Breakdown, input: object = both) =>
    (await salesBreakdown(staff, { ...both, ...input, by })).map(({ key, label, quantity, amount }) =>
      [key, by === 'payment' ? '' : label, quantity, amount].filter((value) => value !== ''),
    );
  const check = async () => {
    expect(await read('item')).toEqual([
      // By its name on the menu.
      ['N1', 'Laksa Deluxe', 3.5, 3_150],
      ['K1', 'Kopi', 3, 1_500],
    ]);
    expect((await read('category')).map(([, ...rest]) => rest)).toEqual([['All', 3.5, 3_150], [1_500]]);
    expect(await read('weekday')).toEqual([
      ['2', 4, 8_750],
      ['3', -1, -4_100],
    ]);
    expect(await read('source')).toEqual([
      ['staff', 2, 3_700],
      ['phone', 1, 950],
    ]);
    expect((await read('store')).map(([, ...rest]) => rest)).toEqual([
      ['Store NORTH', 2, 3_250],
      ['Store SOUTH', 1, 1_400],
    ]);
    expect(await busyHours(staff, both)).toEqual([
      { weekday: 2, hour: '12', amount: 3_700 },
      { weekday: 2, hour: '19', amount: 5_050 },
      { weekday: 3, hour: '10', amount: -4_100 },
    ]);
    const later = { from: '2026-03-11', to: '2026-03-11' };
    const { parts } = await shownBreakdown(staff, { ...later, by: 'payment' });
    expect(parts.map(({ key, amount, before, line }) => ({ key, amount, before, line }))).toEqual([
      { key: 'cash', amount: -100, before: 2_000, line: [-100] },
      { key: 'card', amount: -4_000, before: 6_750, line: [-4_000] },
    ]);
    const part = await salesOfPart(staff, { ...later, by: 'payment', key: 'card' });
    expect(part.days.map(({ amount }) => amount)).toEqual([-4_000]);
    expect(part.daysBefore).toEqual([{ day: '2026-03-10', amount: 6_750 }]);
    expect(await read('payment')).toEqual([
      ['card', 3, 2_750],
      ['cash', 3, 1_900],
    ]);
    expect(await read('staff')).toEqual([
      ['mei', 2, 3_250],
      [1, 1_400],
    ]);
    // In Singapore's time. The void counts on its own day, at ten.
    expect(await read('hour')).toEqual([
      ['10', -1, -4_100],
      ['12', 2, 3_700],
      ['19', 2, 5_050],
    ]);
    // The voided sale's tax is deducted.
    expect(await read('tax')).toEqual([
      ['9', 3, 300],
      [3, 30],
    ]);
    expect(await read('staff', day)).toEqual([
      ['raj', 1, 4_100],
      ['mei', 2, 3_250],
      [1, 1_400],
    ]);
    expect(await read('item', { storeId: merchant.stores[1].id })).toEqual([
      ['N1', 'Laksa Deluxe', 1, 900],
      ['K1', 'Kopi', 1, 500],
    ]);
  };
  await check();
  on('2026-03-12T00:00:00Z');
  await rollUpReports(services);
  await check();
  await expect(read('item', { storeId: newId() })).rejects.toMatchObject({ code: 'store_not_found' });
});

test('credit by its age, and what expires in each of the next twelve months', async () => {
  const { services, west, staff, on, enrol, pay } = await createScene({ bonus_expires_in_days: 300 });
  const customerId = await enrol();
  on('2026-01-01T04:00:00Z');
  await pay(customerId);
  on('2026-03-10T04:00:00Z');
  await pay(customerId);
  await redeemStoredValue(west, { transactionId: newId(), customer: { customerId }, amount: 250 });
  const correct = { customerId, direction: 'add' as const, reason: 'Goodwill' };
  await adjustBalance(staff, { ...correct, adjustmentId: newId(), part: 'bonus', amount: 40, expiresOn: '2027-12-31' });
  await adjustBalance(staff, { ...correct, adjustmentId: newId(), part: 'points', amount: 7, expiresOn: '2026-04-30' });
  const check = async () => {
    const { ages, months, later, never } = await creditReport(staff);
    const nothing = { principal: 0, bonus: 0, points: 0 };
    expect(ages).toEqual([
      { from: 0, until: 30, principal: 1_000, bonus: 190, points: 7 },
      { from: 31, until: 90, principal: 1_000, bonus: 0, points: 0 },
      { from: 91, until: 180, ...nothing },
      { from: 181, until: 365, ...nothing },
      { from: 366, until: null, ...nothing },
    ]);
    expect(months.map(({ month }) => month).slice(0, 11)).toEqual([
      ...['2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'],
      ...['2026-12', '2027-01'],
    ]);
    const due = months.filter(({ bonus, points }) => bonus + points > 0);
    expect(due).toEqual([
      { month: '2026-04', ...nothing, points: 7 },
      { month: '2027-01', ...nothing, bonus: 150 },
    ]);
    expect([later, never]).toEqual([
      { ...nothing, bonus: 40 },
      { ...nothing, principal: 2_000 },
    ]);
  };
  await check();
  on('2026-03-10T06:00:00Z');
  await rollUpReports(services);
  await check();
  // Credit that is due but not written off yet counts in the current month.
  on('2026-05-02T00:00:00Z');
  expect((await creditReport(staff)).months[0]).toMatchObject({ month: '2026-05', points: 7 });
  await expireValueOf(services, { merchantId: staff.merchant.id });
  expect((await creditReport(staff)).months[0]).toMatchObject({ month: '2026-05', points: 0 });
});

test('credit that lives on after a void counts in the month of its new end alone, summed up or not', async () => {
  const { owner } = database;
  const { merchant, west, staff, enrol, pay, on } = await createScene({ bonus_expires_in_days: 30 });
  await owner`update merchants set returned_value_days = 45 where id = ${merchant.id}`;
  const now = new Date();
  on(now.toISOString());
  const customerId = await enrol();
  const transactionId = newId();
  await pay(customerId);
  await redeemStoredValue(west, { transactionId, customer: { customerId }, amount: 90 });
  // Expired and not written off yet.
  await owner`update lots set expires_at = now() - interval '1 second' where customer_id = ${customerId} and part = 'bonus'`;
  on(new Date(now.getTime() + 5_000).toISOString());
  await rollUpReports(testServices(database.db, { now: () => new Date(now.getTime() + 120_000) }));
  const merchantNow = { ...west.merchant, returnedValueDays: 45 };
  await voidTransactions({ ...west, merchant: merchantNow }, { transactionIds: [transactionId] });
  const check = async () => {
    const { months } = await creditReport(staff);
    expect(months.map(({ bonus }) => bonus).filter((bonus) => bonus !== 0)).toEqual([90]);
    expect(months[0]?.bonus).toBe(0);
  };
  await check();
  await rollUpReports(testServices(database.db, { now: () => new Date(now.getTime() + 3_600_000) }));
  await check();
  await owner`delete from report_progress where merchant_id = ${merchant.id}`;
  for (const table of ['credit_days', 'ledger_days', 'transaction_days', 'sale_days', 'voucher_days'])
    await owner`delete from ${owner(table)} where merchant_id = ${merchant.id}`;
  await check();
});

test('the service delays the end of an expired lot alone, and no longer than the merchant lets returned value live', async () => {
  const { owner, db } = database;
  const { merchant, enrol, pay, on } = await createScene({ bonus_expires_in_days: 30 });
  await owner`update merchants set returned_value_days = 7 where id = ${merchant.id}`;
  on(new Date().toISOString());
  const customerId = await enrol();
  await pay(customerId);
  const [lot] = await owner`select id from lots where customer_id = ${customerId} and part = 'bonus'`;
  const revive = (days: number) =>
    withMerchant(db, merchant.id, (tx) =>
      tx.db.run(sql`select revive_lots(array[${lot?.id}::uuid], now() + make_interval(days => ${days}::int), now())`),
    );
  await expect(revive(7)).rejects.toThrow();
  await owner`update lots set expires_at = now() - interval '1 second' where id = ${lot?.id}`;
  await expect(revive(10)).rejects.toThrow();
  await revive(7);
});

test('balances at the end of any day, page by page, of those who had joined', async () => {
  const { west, staff, on, enrol, pay } = await createScene();
  const first = await enrol();
  on('2026-03-10T05:00:00Z');
  const second = await enrol();
  await pay(first);
  on('2026-03-11T15:59:59.999Z');
  await pay(second, 'a mistake');
  on('2026-03-11T16:00:00.000Z');
  const third = await enrol();
  await redeemStoredValue(west, { transactionId: newId(), customer: { customerId: first }, amount: 300 });
  await voidTransactions(west, { transactionIds: ['a mistake'] });
  const read = async (day: string) =>
    (await balancesReport(staff, { day, limit: 50 })).items.map(({ customerId, principal, bonus }) => [
      customerId,
      principal,
      bonus,
    ]);
  expect(await read('2026-03-09')).toEqual([]);
  expect(await read('2026-03-10')).toEqual([
    [first, 1_000, 200],
    [second, 0, 0],
  ]);
  expect(await read('2026-03-11')).toEqual([
    [first, 1_000, 200],
    [second, 1_000, 200],
  ]);
  expect(await read('2026-03-12')).toEqual([
    [first, 900, 0],
    [second, 0, 0],
    [third, 0, 0],
  ]);
  const page = await balancesReport(staff, { day: '2026-03-12', limit: 2 });
  expect(page.items.map(({ customerId }) => customerId)).toEqual([first, second]);
  const next = await balancesReport(staff, { day: '2026-03-12', limit: 2, after: page.nextCursor ?? '' });
  expect(next.items.map(({ customerId }) => customerId)).toEqual([third]);
});
