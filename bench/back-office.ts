/** Measures the database time of the back office's procedures, called as an owner of a large merchant. */

import postgres from 'postgres';
import { appRole, connectDatabase } from '@/db/driver';
import { staffContext } from '@/server/domain/access/context';
import type { Services } from '@/server/domain/kernel/context';
import { rollUpReports } from '@/server/domain/reports/roll-up';
import { testServices } from '@/server/testing/factory';
import { callAs } from '@/server/testing/staff';
import { type Bench, cases } from './cases';
import { inFull } from './pace';

const boundMs = 50;
const homeBoundMs = 300;
const warmUps = inFull(2, 0);
const rounds = inFull(5, 1);

/** Prints the time of each case; returns false where one exceeds its bound. */
export async function measureBackOffice(url: string, say: (line: string) => void): Promise<boolean> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const services = testServices(connectDatabase(url, { role: appRole, max: 4 }));
  try {
    const start = performance.now();
    await rollUpReports(services);
    say(`Updating the daily sums for reports: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    // As PostgreSQL's autovacuum does by itself elsewhere.
    await owner`vacuum analyze`;
    const bench = await openBench(owner, services);
    let isFast = true;
    for (const [name, call] of Object.entries(cases(bench))) {
      const taken = await databaseMs(owner, call);
      const bound = name === 'home' ? homeBoundMs : boundMs;
      isFast &&= taken <= bound;
      say(`${taken.toFixed(1).padStart(8)} ms of ${bound}  ${name}${taken > bound ? '  <-- too long' : ''}`);
    }
    return isFast;
  } finally {
    await Promise.all([services.db.close(), owner.end()]);
  }
}

async function openBench(owner: postgres.Sql, services: Services): Promise<Bench> {
  const [merchant] = await owner`select merchant_id, user_id from memberships limit 1`;
  const { merchant_id: merchantId, user_id: userId } = merchant as { merchant_id: string; user_id: string };
  const memberships = [
    { merchantId, merchantName: 'Bench', role: 'owner' as const, storeIds: null, secondFactorFrom: null },
  ];
  const ctx = await staffContext(
    services,
    { userId, name: 'Owner', email: 'owner@bench.example', memberships, confirmedAt: new Date() },
    merchantId,
  );
  const caller = callAs(ctx);
  const [some] = await owner`
    select (select id from stores where merchant_id = ${merchantId} order by store_code limit 1) as "storeId",
      (select id from customers where merchant_id = ${merchantId} order by name_key, id offset ${inFull(1_000, 10)} limit 1) as "customerId",
      (select id from voucher_campaigns where merchant_id = ${merchantId} limit 1) as "campaignId",
      (select id from api_keys where merchant_id = ${merchantId} limit 1) as "apiKeyId",
      (select id from menu_categories where merchant_id = ${merchantId} limit 1) as "categoryId",
      (select uid from transactions where merchant_id = ${merchantId} order by uid desc limit 1) as "transactionUid"`;
  return { caller, ownerId: userId, ...(some as Omit<Bench, 'caller' | 'ownerId'>) };
}

/**
 * The time of all its statements by the server's own clock, in the quickest round, so that other load on the machine
 * does not count.
 */
async function databaseMs(owner: postgres.Sql, call: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < warmUps; n++) await call();
  let quickest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < rounds; n++) {
    await owner`select pg_stat_statements_reset()`;
    await call();
    const [row] = await owner<[{ ms: number }]>`
      select coalesce(sum(total_exec_time + total_plan_time), 0)::float8 as ms from pg_stat_statements
      where userid = ${appRole}::regrole and dbid = (select oid from pg_database where datname = current_database())`;
    quickest = Math.min(quickest, row.ms);
  }
  return quickest;
}
