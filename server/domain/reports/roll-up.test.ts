import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { topUp } from '../top-ups/top-up';
import { redeemVoucher } from '../vouchers/redeem';
import { readBooks } from './books';
import { liabilityReport } from './ledger-report';
import { rollUpReports } from './roll-up';
import { salesReport } from './sales-report';
import { voucherReport } from './voucher-report';

const database = ownDatabase();

const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60_000);
/** Late enough for all rows to be summed. */
const later = (hours = 1) => testServices(database.db, { now: () => inHours(hours) });
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const period = { from: dayOf(inHours(-24 * 30)), to: dayOf(inHours(24)) };

async function newMerchant(settings: Parameters<typeof createMerchant>[1] = {}) {
  const { owner, db } = database;
  const merchant = await createMerchant(owner, { time_zone: 'UTC', ...settings });
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200 });
  const { id: customerId } = await createCustomer(owner, merchant.id);
  const till = await authenticateKey(testServices(db), merchant.stores[0].key);
  const staff = await createStaff(owner, testServices(db), merchant.id);
  const pay = () => topUp(till, { transactionId: newId(), customer: { customerId }, packageId });
  return { id: merchant.id, storeId: merchant.stores[0].id, till, customerId, staff, pay };
}

const summedUp = async (merchantId: string) => {
  const [row] = await database.owner`
    select coalesce(sum(granted), 0)::int as granted from ledger_days where merchant_id = ${merchantId}`;
  return row?.granted;
};

test('several at once count everything once', async () => {
  const { id, pay, staff } = await newMerchant();
  for (let n = 0; n < 3; n++) {
    await Promise.all([pay(), pay(), ...Array.from({ length: 4 }, () => rollUpReports(later()))]);
  }
  await rollUpReports(later());
  expect(await summedUp(id)).toBe(6 * 1_200);
  const { total } = await liabilityReport(staff, period);
  expect([total.principal.closing, total.bonus.closing]).toEqual([6_000, 1_200]);
});

test('waits for what is being written, because its number may be lower than what is visible', async () => {
  const { id, customerId, pay } = await newMerchant();
  await pay();
  let isDone = false;
  let run: Promise<void> | undefined;
  await database.owner.begin(async (tx) => {
    const [{ since }] = await tx<[{ since: Date }]>`select now() as since`;
    const [lot] = await tx`select * from lots where merchant_id = ${id} and part = 'principal'`;
    await tx`
      insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount)
      values (${id}, ${lot?.transaction_uid}, ${customerId}, ${lot?.id}, 'principal', 'grant', 7)`;
    await pay().catch(() => {});
    run = rollUpReports(later()).then(() => {
      isDone = true;
    });
    const looks = new Set<string>();
    const looked = async () => {
      const rows = await database.owner`
        select query_start::text as at from pg_stat_activity
        where datname = current_database() and query like '%pg_snapshot_xmin%' and query_start > ${since}
          and pid <> pg_backend_pid()`;
      for (const { at } of rows) looks.add(at);
      return looks.size;
    };
    // The run polls whether it may continue.
    await expect.poll(looked).toBeGreaterThan(2);
    expect(isDone).toBe(false);
    expect(await summedUp(id)).toBe(0);
  });
  await run;
  expect(await summedUp(id)).toBe(2 * 1_200 + 7);
});

test('sums more than a batch, in several batches', async () => {
  const { id, storeId, staff } = await newMerchant();
  await database.owner`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, amount, occurred_at)
    select ${id}, uuidv7(interval '-3 hours' + n * interval '1 ms'), ${storeId}, 'sale' || n, 'sale', 'completed', 3, now()
    from generate_series(1, 45000) n`;
  await rollUpReports(later());
  const [row] = await database.owner`
    select sum(count)::int as count, sum(amount)::int as amount from transaction_days where merchant_id = ${id}`;
  expect(row).toEqual({ count: 45_000, amount: 135_000 });
  expect((await salesReport(staff, period)).total).toMatchObject({ saleCount: 45_000, sales: 135_000 });
  // Otherwise the search for secrets at the end would read each of them.
  await database.owner`delete from transactions where merchant_id = ${id}`;
});

test('voids of one request are in one batch, also if it is full', async () => {
  const { id, storeId } = await newMerchant();
  // The last transaction of a full batch and the next one were voided together.
  await database.owner`
    with ids as (
      select n, uuidv7(interval '-3 hours' + n * interval '1 ms') as uid,
        uuidv7(interval '-2 hours' + least(n, 20000) * interval '1 ms') as void_id
      from generate_series(1, 20001) n
    ), made as (
      insert into voids (merchant_id, id) select ${id}, void_id from ids where n <= 20000
    )
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, amount, occurred_at, void_id, voided_at)
    select ${id}, uid, ${storeId}, 'sale' || n, 'sale', 'voided', 3, now(),
      case n when 20001 then (select void_id from ids where n = 20000) else void_id end, now()
    from ids`;
  await rollUpReports(later());
  const sums = await database.owner`select count, amount::int from transaction_days where merchant_id = ${id}`;
  expect([...sums]).toEqual([{ count: 0, amount: 0 }]);
  await database.owner`delete from transactions where merchant_id = ${id}`;
  await database.owner`delete from voids where merchant_id = ${id}`;
});

test('sums nothing while a transaction does not end, and everything once afterwards', async () => {
  const { id, pay } = await newMerchant();
  await pay();
  await database.owner.begin(async (tx) => {
    await tx`select pg_current_xact_id()`;
    await pay();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(60_000).mockReturnValueOnce(0);
    await rollUpReports(later()).finally(() => clock.mockRestore());
    expect(await summedUp(id)).toBe(0);
  });
  await rollUpReports(later());
  expect(await summedUp(id)).toBe(2 * 1_200);
});

test('a run whose clock is behind the last one’s counts nothing again', async () => {
  const { id, storeId, pay } = await newMerchant();
  await database.owner`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, amount, occurred_at)
    values (${id}, uuidv7(interval '90 minutes'), ${storeId}, 'a sale', 'sale', 'completed', 3, now())`;
  await rollUpReports(later(2));
  await pay();
  await rollUpReports(later(1));
  expect(await summedUp(id)).toBe(1_200);
  await pay();
  await rollUpReports(later(2));
  const [sales] = await database.owner`
    select count from transaction_days where merchant_id = ${id} and type = 'sale'`;
  expect(sales).toEqual({ count: 1 });
});

test('a report read while sums are updated counts nothing twice', async () => {
  const { pay, staff } = await newMerchant();
  await pay();
  const sums = await readBooks(staff, async ({ tx: { db }, ledgerDays }) => {
    const granted = sql<number>`sum(${ledgerDays.granted})::int`;
    const sum = async () => (await db.select({ granted }).from(ledgerDays))[0]?.granted;
    const before = await sum();
    await rollUpReports(later());
    return [before, await sum()];
  });
  expect(sums).toEqual([1_200, 1_200]);
});

/** Kills the connection that waits for a lock on that table, in the middle of its work. */
async function killOneThatWaits(table: string): Promise<void> {
  await expect
    .poll(async () => {
      const killed = await database.owner`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${table}%`}`;
      return killed.length;
    })
    .toBe(1);
}

test('counts everything once though it is killed half-way, and is continued', async () => {
  const { id, storeId, pay, staff } = await newMerchant();
  await pay();
  await rollUpReports(later());
  const [first] = await database.owner`select * from report_progress where merchant_id = ${id}`;
  await database.owner`
    insert into transactions (merchant_id, uid, store_id, transaction_id, type, status, amount, occurred_at)
    select ${id}, uuidv7(interval '90 minutes' + n * interval '1 ms'), ${storeId}, 'sale' || n, 'sale', 'completed', 3, now()
    from generate_series(1, 100) n`;
  await pay();
  // The ledger's sums are written, but not the transactions'.
  let run: Promise<unknown> | undefined;
  await database.owner.begin(async (tx) => {
    await tx`lock table transaction_days in share mode`;
    run = rollUpReports(later(2)).catch((error: Error) => error);
    await killOneThatWaits('transaction_days');
  });
  expect(await run).toBeInstanceOf(Error);
  expect(await summedUp(id)).toBe(1_200);
  expect(await database.owner`select * from report_progress where merchant_id = ${id}`).toEqual([first]);
  const truth = await liabilityReport(staff, period);
  expect([truth.total.principal.closing, truth.total.bonus.closing]).toEqual([2_000, 400]);

  await rollUpReports(later(2));
  expect(await summedUp(id)).toBe(2 * 1_200);
  expect(await liabilityReport(staff, period)).toEqual(truth);
  const [row] = await database.owner`
    select sum(count)::int as count from transaction_days where merchant_id = ${id} and type = 'sale'`;
  expect(row?.count).toBe(100);
});

test('a merchant whose days can’t be summed delays no other', async () => {
  const [one, other, third] = [await newMerchant(), await newMerchant(), await newMerchant()];
  for (const { pay } of [one, other, third]) await pay();
  await database.owner`update merchants set time_zone = 'Nowhere/Land' where id = ${other.id}`;
  await expect(rollUpReports(later())).rejects.toThrow('time zone');
  expect(await Promise.all([one.id, other.id, third.id].map(summedUp))).toEqual([1_200, 0, 1_200]);
  await database.owner`update merchants set time_zone = 'UTC' where id = ${other.id}`;
  await rollUpReports(later());
  expect(await summedUp(other.id)).toBe(1_200);
});

test('recomputes all days when the time zone changes', async () => {
  const { id, till, customerId, pay, staff } = await newMerchant();
  await pay();
  const campaignId = await createCampaign(database.owner, id);
  const voucherCode = await createVoucher(database.owner, id, { campaignId, customerId });
  const bill = { amount: 2_000 };
  await redeemVoucher(till, { transactionId: 'lunch', customer: { customerId }, voucherCode, bill });
  await rollUpReports(later());
  await database.owner`update transactions set created_at = '2026-03-01 12:00Z' where merchant_id = ${id}`;
  await database.owner`update ledger_entries set created_at = '2026-03-01 12:00Z' where merchant_id = ${id}`;
  await database.owner`update merchants set time_zone = 'Pacific/Kiritimati' where id = ${id}`;
  await rollUpReports(later());
  const days = await database.owner`select day::text, count from transaction_days where merchant_id = ${id}`;
  expect([...days]).toEqual(Array(2).fill({ day: '2026-03-02', count: 1 }));
  const [vouchers] = await database.owner`
    select sum(issued)::int as issued, sum(redeemed)::int as redeemed, sum(discount)::int as discount
    from voucher_days where merchant_id = ${id}`;
  expect(vouchers).toEqual({ issued: 1, redeemed: 1, discount: 500 });
  expect(await summedUp(id)).toBe(1_200);
  const { total } = await liabilityReport(staff, { from: '2026-03-02', to: '2026-03-02' });
  expect(total.principal).toMatchObject({ opening: 0, granted: 1_000, closing: 1_000 });
});

test('vouchers: issued, and expired if unused', async () => {
  const { id, customerId, staff } = await newMerchant();
  const { owner } = database;
  const campaignId = await createCampaign(owner, id, { name: 'Ten off' });
  for (const [n, expiresAt] of [inHours(-2), inHours(-1), inHours(1), null].entries()) {
    await owner`insert into vouchers ${owner({
      merchant_id: id,
      id: newId(),
      campaign_id: campaignId,
      customer_id: customerId,
      voucher_code: `CODE${n}`,
      issued_at: inHours(-48),
      expires_at: expiresAt,
      cancelled_at: n === 1 ? inHours(-3) : null,
    })}`;
  }
  const expected = { campaignId, name: 'Ten off', issued: 4, everIssued: 4, redeemed: 0, expired: 1, discount: 0 };
  expect((await voucherReport(staff, period)).campaigns).toEqual([expected]);
  await rollUpReports(later());
  expect((await voucherReport(staff, period)).campaigns).toEqual([expected]);
});

test('another merchant’s store is not found, and its value not counted', async () => {
  const [one, other] = [await newMerchant(), await newMerchant()];
  await other.pay();
  await expect(liabilityReport(one.staff, { ...period, storeId: other.storeId })).rejects.toThrow('no such store');
  expect((await liabilityReport(one.staff, period)).total.principal.closing).toBe(0);
});
