/**
 * Measures the worker's large runs, in time per row and memory: for 10,000 rows and for all rows, which must not cost
 * more per row.
 */

import postgres from 'postgres';
import { appRole, connectDatabase } from '@/db/driver';
import type { Services } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { expireValueOf } from '@/server/domain/ledger/expire';
import { continueIssue } from '@/server/domain/vouchers/issue-run';
import { beginOccasionsOf } from '@/server/domain/vouchers/occasions';
import { createMerchant, testServices } from '@/server/testing/factory';

export interface WorkerSize {
  /** Customers with a birthday on the same day. */
  birthdays: number;
  /** Lots that expire on one day. */
  lots: number;
}

const fewRows = 10_000;
const boundMb = 300;
/** The tolerance for other load on the machine. */
const boundRatio = 1.5;
const sampleMs = 20;
const today = '2026-11-21T04:00:00Z';

type Run = (services: Services, owner: postgres.Sql, rows: number) => Promise<() => Promise<number>>;

/** Prints the cost of each run; returns false where one exceeds its bound. `url` is an empty, migrated database. */
export async function measureWorker(url: string, size: WorkerSize, say: (line: string) => void): Promise<boolean> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const services = testServices(connectDatabase(url, { role: appRole, max: 4 }), { now: () => new Date(today) });
  try {
    const birthdays = await measure('birthday vouchers', size.birthdays, celebrate);
    const lots = await measure('expired lots', size.lots, expire);
    return birthdays && lots;
  } finally {
    await Promise.all([services.db.close(), owner.end()]);
  }

  async function measure(name: string, whole: number, run: Run): Promise<boolean> {
    const few = await taken(run, Math.min(fewRows, whole));
    const all = await taken(run, whole);
    const ratio = all.msPerRow / few.msPerRow;
    const isGood = ratio <= boundRatio && all.peakMb <= boundMb;
    say(
      `${all.msPerRow.toFixed(3).padStart(8)} ms per row  ${name}: ${whole} rows, ${ratio.toFixed(2)} times the time for ${Math.min(fewRows, whole)} (limit ${boundRatio}), ` +
        `peak ${Math.round(all.peakMb)} MB (limit ${boundMb})${isGood ? '' : '  <-- too much'}`,
    );
    return isGood;
  }

  async function taken(run: Run, rows: number): Promise<{ msPerRow: number; peakMb: number }> {
    const work = await run(services, owner, rows);
    await owner`vacuum analyze`;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, sampleMs);
    const start = performance.now();
    const done = await work();
    const ms = performance.now() - start;
    clearInterval(watch);
    if (done !== rows) throw new Error(`${done} of ${rows} rows were done`);
    return { msPerRow: ms / rows, peakMb: peak / 1024 / 1024 };
  }
}

/** Writes a merchant with customers, in bulk. */
async function seedCustomers(owner: postgres.Sql, count: number): Promise<string> {
  const { id } = await createMerchant(owner);
  await owner`
    insert into customers (merchant_id, id, given_name, last_name, birthday, joined_at)
    select ${id}, uuidv7(), 'Ada', 'Tester', '1990-11-21', '2020-01-01' from generate_series(1, ${count}::int)`;
  await owner`insert into balances (merchant_id, customer_id) select merchant_id, id from customers where merchant_id = ${id}`;
  return id;
}

const celebrate: Run = async (services, owner, rows) => {
  const merchantId = await seedCustomers(owner, rows);
  await owner`insert into voucher_campaigns ${owner({
    merchant_id: merchantId,
    id: newId(),
    name: 'Birthday',
    unit: 'BillDollarValue',
    value: 500,
    trigger: 'birthday',
    occasions_through: '2026-11-20',
  })}`;
  return async () => {
    await beginOccasionsOf(services, { merchantId });
    const issues = await owner`select id from voucher_issues where merchant_id = ${merchantId}`;
    for (const { id } of issues) await continueIssue(services, { merchantId, issueId: id });
    const [row] = await owner`select count(*)::int as count from vouchers where merchant_id = ${merchantId}`;
    return row?.count as number;
  };
};

/** Four lots of points per customer; the last customer may have fewer. */
const lotsEach = 4;

const expire: Run = async (services, owner, rows) => {
  const merchantId = await seedCustomers(owner, Math.ceil(rows / lotsEach));
  await owner`
    with grants as materialized (
      select c.id as customer_id, uuidv7() as uid, uuidv7() as lot_id
      from customers c cross join generate_series(1, ${lotsEach}::int)
      where c.merchant_id = ${merchantId} order by c.id limit ${rows}
    ), booked as (
      insert into transactions (merchant_id, uid, type, status, customer_id, amount, occurred_at, created_at)
      select ${merchantId}, uid, 'adjustment', 'completed', customer_id, 10, '2026-01-01', '2026-01-01' from grants
    ), granted as (
      insert into lots (merchant_id, id, customer_id, transaction_uid, part, granted, remaining, expires_at, created_at)
      select ${merchantId}, lot_id, customer_id, uid, 'points', 10, 10, '2026-11-20T15:59:59.999Z', '2026-01-01' from grants
    ), entered as (
      insert into ledger_entries (merchant_id, transaction_uid, customer_id, lot_id, part, kind, amount, created_at)
      select ${merchantId}, uid, customer_id, lot_id, 'points', 'adjustment', 10, '2026-01-01' from grants
    )
    update balances b set points = g.points
    from (select customer_id, 10 * count(*) as points from grants group by customer_id) g
    where b.merchant_id = ${merchantId} and b.customer_id = g.customer_id`;
  return () => expireValueOf(services, { merchantId });
};
