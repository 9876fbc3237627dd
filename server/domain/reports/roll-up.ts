/**
 * Keeps the sums that reports read (`ledger_days`, `transaction_days`, `voucher_days`) up to date with what is booked.
 *
 * A row counts once when nothing can still appear before it. Entries are numbered as they are written, behind a lock
 * that gives their database transaction its number: once every transaction that ran when the last entry was seen has
 * ended, all entries up to it are there. Ids of transactions, voids and vouchers carry the time they were made at,
 * before their database transaction begins, by a clock that may be off: hence the margin.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Database, type Fragment, type Tx, withMerchant } from '@/db/client';
import type { Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { firstIdAt } from '../core/ids';
import { clockOf } from '../merchants/merchant-time';
import { nothingSummed } from './books';
import { bookings, issueFacts, ledgerFacts, redemptionFacts, reversals, transactionFacts } from './facts';

/** From an id's making to the first lock of its database transaction, with the difference of two clocks. */
const marginMs = 60_000;
const patienceMs = 10_000;
/** Rows of a source that one database transaction sums up. */
const batchSize = 20_000;

interface Backlog {
  merchantId: string;
  timeZone: string;
  clockAheadSeconds: number;
  lastEntryId: number | null;
}

/**
 * Sums up what is new, of all merchants. Several may run at once, and one that is killed goes on where it was. Errors: the
 * first fault, once the others are summed up.
 */
export async function rollUpReports(services: Services): Promise<void> {
  const { db, systemClock } = services;
  const at = new Date(systemClock.now().getTime() - marginMs);
  const backlog = await db.sql<(Backlog & { nextXid: string })[]>`
    select merchant_id as "merchantId", time_zone as "timeZone", clock_ahead_seconds as "clockAheadSeconds",
      last_entry_id as "lastEntryId", next_xid::text as "nextXid"
    from report_backlog(${at})`;
  const [first] = backlog;
  // Where somebody writes for longer, the next run sums up.
  if (!first || !(await haveEnded(db, first.nextXid, services.stopping))) return;
  const then = { ...services, systemClock: { now: () => at } };
  const sumUpOf = (merchant: Backlog) => rollUp(then, merchant, firstIdAt(clockOf(then, merchant).now()));
  await eachInTurn(backlog, sumUpOf, services.stopping);
}

/** Whether all database transactions before `xid` have ended, or do so soon; a stopping worker does not wait. */
async function haveEnded({ sql }: Database, xid: string, stopping?: AbortSignal): Promise<boolean> {
  const start = performance.now();
  for (;;) {
    const [row] = await sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${xid}::text::xid8 as "haveEnded"`;
    if (row?.haveEnded) return true;
    if (stopping?.aborted || performance.now() - start > patienceMs) return false;
    await wait(50);
  }
}

async function rollUp({ db, stopping }: Services, { merchantId, timeZone, lastEntryId }: Backlog, until: string) {
  const step = (tx: Tx) => rollUpBatch(tx, timeZone, lastEntryId, until);
  const isNewZone = await withMerchant(db, merchantId, async (tx) => {
    const { sql } = tx;
    const start = { merchant_id: merchantId, time_zone: timeZone, ...nothingSummed };
    await sql`insert into report_progress ${sql(start)} on conflict do nothing`;
    const [changed] = await sql`
      select from report_progress where merchant_id = ${merchantId} and time_zone <> ${timeZone} for update skip locked`;
    if (!changed) return false;
    // Reports show the old zone's days until all are rebuilt, then all the new ones at once.
    await startOver(tx, timeZone);
    while (await step(tx)) stopping?.throwIfAborted();
    return true;
  }).catch((error) => {
    // Nothing was rebuilt then: the next run does it.
    if (stopping?.aborted && error === stopping.reason) return true;
    throw error;
  });
  if (!isNewZone) while ((await withMerchant(db, merchantId, step)) && !stopping?.aborted);
}

function startOver({ merchantId, sql }: Tx, timeZone: string) {
  return Promise.all([
    sql`delete from ledger_days where merchant_id = ${merchantId}`,
    sql`delete from transaction_days where merchant_id = ${merchantId}`,
    sql`delete from voucher_days where merchant_id = ${merchantId}`,
    sql`update report_progress set ${sql({ time_zone: timeZone, ...nothingSummed })} where merchant_id = ${merchantId}`,
  ]);
}

/** Sums up a batch of each source. False when there is no more, or somebody else is at it. */
async function rollUpBatch(tx: Tx, timeZone: string, lastEntryId: number | null, until: string): Promise<boolean> {
  const { merchantId, sql } = tx;
  const [from] = await sql`
    select entry_id, transaction_uid, void_id, voucher_id from report_progress
    where merchant_id = ${merchantId} and time_zone = ${timeZone} for update skip locked`;
  if (!from) return false;
  const batch = sql`batch`;
  const results = await Promise.all([
    sumUp(tx, 'ledger_entries', 'id', from.entry_id, lastEntryId ?? 0, [addToLedger(tx, timeZone)]),
    sumUp(tx, 'transactions', 'uid', from.transaction_uid, until, addTransactions(tx, timeZone, bookings(tx, batch))),
    sumUp(tx, 'transactions', 'void_id', from.void_id, until, addTransactions(tx, timeZone, reversals(tx, batch))),
    sumUp(tx, 'vouchers', 'id', from.voucher_id, until, [addVouchers(tx, issueFacts(tx, timeZone, batch))]),
  ]);
  const [entries, transactions, voids, vouchers] = results;
  await sql`
    update report_progress set entry_id = ${entries.reached}, transaction_uid = ${transactions.reached},
      void_id = ${voids.reached}, voucher_id = ${vouchers.reached}
    where merchant_id = ${merchantId}`;
  return results.some(({ isMore }) => isMore);
}

/** Runs `additions` over the rows behind `from` up to `until`, as far as one batch goes. */
async function sumUp<Key extends string | number>(
  { merchantId, sql }: Tx,
  table: string,
  key: string,
  from: Key,
  until: Key,
  additions: Fragment[],
): Promise<{ reached: Key; isMore: boolean }> {
  const column = sql.unsafe(key);
  const [batch] = await sql`
    with batch as materialized (
      select * from ${sql.unsafe(table)} where merchant_id = ${merchantId} and ${column} > ${from} and ${column} <= ${until}
      order by ${column} fetch first ${batchSize} rows with ties
    )${additions.map((addition, n) => sql`, ${sql.unsafe(`added_${n}`)} as (${addition})`)}
    select count(*)::int as count, (select ${column} from batch order by ${column} desc limit 1) as last from batch`;
  const isMore = batch?.count >= batchSize;
  return { reached: isMore ? batch?.last : until > from ? until : from, isMore };
}

function addToLedger(tx: Tx, timeZone: string): Fragment {
  return tx.sql`
    insert into ledger_days as d (merchant_id, day, store_id, part, granted, spent, voided, expired, adjusted)
    select ${tx.merchantId}, f.* from (${ledgerFacts(tx, timeZone, tx.sql`batch`)}) f
    on conflict (merchant_id, day, store_id, part) do update set granted = d.granted + excluded.granted,
      spent = d.spent + excluded.spent, voided = d.voided + excluded.voided, expired = d.expired + excluded.expired,
      adjusted = d.adjusted + excluded.adjusted`;
}

function addTransactions(tx: Tx, timeZone: string, booked: Fragment): Fragment[] {
  return [
    tx.sql`
      insert into transaction_days as d (merchant_id, day, store_id, type, count, amount)
      select ${tx.merchantId}, f.* from (${transactionFacts(tx, timeZone, booked)}) f
      on conflict (merchant_id, day, store_id, type) do update set count = d.count + excluded.count,
        amount = d.amount + excluded.amount`,
    addVouchers(tx, redemptionFacts(tx, timeZone, booked)),
  ];
}

function addVouchers(tx: Tx, facts: Fragment): Fragment {
  return tx.sql`
    insert into voucher_days as d (merchant_id, day, campaign_id, issued, redeemed, discount)
    select ${tx.merchantId}, f.* from (${facts}) f
    on conflict (merchant_id, day, campaign_id) do update set issued = d.issued + excluded.issued,
      redeemed = d.redeemed + excluded.redeemed, discount = d.discount + excluded.discount`;
}
