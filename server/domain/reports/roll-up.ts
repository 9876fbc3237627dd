/**
 * Keeps the sums that reports read (`ledger_days`, `credit_days`, `transaction_days`, `sale_days`, `voucher_days`) up
 * to date.
 *
 * A row is summed once no row can appear before it any more. Entries are numbered under a lock that first gives their
 * database transaction its number. So once every transaction that was running when the last entry was seen has ended,
 * all entries up to that one are visible. Ids of transactions, voids and vouchers contain the time of their creation,
 * which is before their database transaction begins and from a clock that may be off. Hence the margin.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { and, count, desc, eq, getTableColumns, gt, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Database, type Tx, withMerchant } from '@/db/driver';
import { insertFrom, nameOf } from '@/db/query/expressions';
import { reportsBehind } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import {
  creditDays,
  ledgerDays,
  ledgerEntries,
  reportProgress,
  saleDays,
  transactionDays,
  transactions,
  voucherDays,
  vouchers,
} from '@/db/schema';
import type { Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { firstIdAt } from '../kernel/ids';
import { clockOf, readStoreDays } from '../merchants';
import { initialProgress, progressColumns } from './books';
import {
  type Booked,
  bookings,
  creditFacts,
  issueFacts,
  ledgerFacts,
  type Rows,
  redemptionFacts,
  reversals,
  transactionFacts,
} from './facts';
import { saleFacts } from './sale-facts';

/** Max time from an id's creation to its database transaction's first lock, including the difference of two clocks. */
const marginMs = 60_000;
const maxWaitMs = 10_000;
/** Raise it when `facts.ts` or `sale-facts.ts` count otherwise: the worker then rebuilds all sums. */
const factsVersion = 2;
/** Rows of a source per database transaction. */
const batchSize = 20_000;

interface Backlog {
  merchantId: string;
  dayRule: string;
  clockAheadSeconds: number;
  lastEntryId: number | null;
}

/**
 * Adds new rows to the sums, for all merchants. Several runs may work at once, and a killed run is continued. Errors:
 * the first fault, after all other merchants.
 */
export async function rollUpReports(services: Services): Promise<void> {
  const { db, systemClock } = services;
  const at = new Date(systemClock.now().getTime() - marginMs);
  const { $rows, timeZone: dayRule, ...columns } = reportsBehind({ at, version: factsVersion });
  const backlog = await db.pool.select({ ...columns, dayRule }).from($rows);
  const [first] = backlog;
  // A longer transaction is in progress. The next run continues.
  if (!first || !(await haveEnded(db, first.nextXid, services.stopping))) return;
  const pastServices = { ...services, systemClock: { now: () => at } };
  const rollUpMerchant = (merchant: Backlog) =>
    rollUp(pastServices, merchant, firstIdAt(clockOf(pastServices, merchant).now()));
  await forEachInTurn(backlog, rollUpMerchant, services.stopping);
}

/**
 * Returns whether all database transactions before `xid` have ended, after a short wait. A stopping worker does not
 * wait.
 */
async function haveEnded({ pool }: Database, xid: string, stopping?: AbortSignal): Promise<boolean> {
  const start = performance.now();
  for (;;) {
    const row = only(
      await pool
        .select({ haveEnded: sql<boolean>`pg_snapshot_xmin(snapshot) >= ${xid}::text::xid8` })
        .from(sql`pg_current_snapshot() as snapshot`),
    );
    if (row.haveEnded) return true;
    if (stopping?.aborted || performance.now() - start > maxWaitMs) return false;
    await wait(50);
  }
}

async function rollUp({ db, stopping }: Services, { merchantId, dayRule, lastEntryId }: Backlog, until: string) {
  const step = (tx: Tx) => rollUpBatch(tx, dayRule, lastEntryId, until);
  const isNewRule = await withMerchant(db, merchantId, async (tx) => {
    const start = { merchantId, dayRule, ...initialProgress };
    await tx.db.insert(reportProgress).values(start).onConflictDoNothing();
    const [changed] = await lockProgress(tx, ne(reportProgress.dayRule, dayRule));
    if (!changed) return false;
    // Reports show the old days until all are rebuilt, then all the new ones at once.
    await resetSums(tx, dayRule);
    while (await step(tx)) stopping?.throwIfAborted();
    return true;
  }).catch((error) => {
    // Nothing was rebuilt. The next run does it.
    if (stopping?.aborted && error === stopping.reason) return true;
    throw error;
  });
  if (!isNewRule) while ((await withMerchant(db, merchantId, step)) && !stopping?.aborted);
}

const isMerchants = (tx: Tx) => eq(reportProgress.merchantId, tx.merchantId);

/** Locks a merchant's progress until the database transaction ends. Returns no row if another worker holds it. */
const lockProgress = (tx: Tx, condition: SQL) =>
  tx.db
    .select(progressColumns)
    .from(reportProgress)
    .where(and(isMerchants(tx), condition))
    .for('update', { skipLocked: true });

function resetSums(tx: Tx, dayRule: string) {
  const { merchantId, db } = tx;
  return Promise.all([
    db.delete(ledgerDays).where(eq(ledgerDays.merchantId, merchantId)),
    db.delete(creditDays).where(eq(creditDays.merchantId, merchantId)),
    db.delete(saleDays).where(eq(saleDays.merchantId, merchantId)),
    db.delete(transactionDays).where(eq(transactionDays.merchantId, merchantId)),
    db.delete(voucherDays).where(eq(voucherDays.merchantId, merchantId)),
    db
      .update(reportProgress)
      .set({ dayRule, ...initialProgress })
      .where(isMerchants(tx)),
  ]);
}

/** Sums one batch of each source. Returns false if there are no more rows, or if another worker is doing it. */
async function rollUpBatch(tx: Tx, dayRule: string, lastEntryId: number | null, until: string): Promise<boolean> {
  const { db } = tx;
  const [from] = await lockProgress(tx, eq(reportProgress.dayRule, dayRule));
  if (!from) return false;
  const days = await readStoreDays(tx);
  const addBooked = (booked: Booked) => [
    addTransactions(tx, transactionFacts(db, days, booked)),
    addVouchers(tx, redemptionFacts(db, days, booked)),
    addSales(tx, saleFacts(db, days, booked)),
  ];
  const results = await Promise.all([
    addRange(tx, ledgerEntries, ledgerEntries.id, [from.entryId, lastEntryId ?? 0], (rows) => [
      addToLedger(tx, ledgerFacts(db, days, rows)),
      addCredit(tx, creditFacts(db, days, rows)),
    ]),
    addRange(tx, transactions, transactions.uid, [from.transactionUid, until], (rows) =>
      addBooked(bookings(db, days, rows)),
    ),
    addRange(tx, transactions, transactions.voidId, [from.voidId, until], (rows) => addBooked(reversals(db, rows))),
    addRange(tx, vouchers, vouchers.id, [from.voucherId, until], (rows) => [
      addVouchers(tx, issueFacts(db, days, rows)),
    ]),
  ]);
  const [entries, made, voided, issued] = results;
  await db
    .update(reportProgress)
    .set({
      entryId: entries.reached,
      transactionUid: made.reached,
      voidId: voided.reached,
      voucherId: issued.reached,
    })
    .where(isMerchants(tx));
  return results.some(({ isMore }) => isMore);
}

/** Runs the statements of `add` over the rows after `from` up to `until`, at most one batch. */
async function addRange<Table extends PgTable & { merchantId: PgColumn }, Key extends string | number>(
  { merchantId, db }: Tx,
  table: Table,
  key: PgColumn,
  [from, until]: [Key, Key],
  add: (rows: Rows<Table>) => SQL[],
): Promise<{ reached: Key; isMore: boolean }> {
  const inOrder = db
    .select()
    .from(table as PgTable)
    .where(and(eq(table.merchantId, merchantId), gt(key, from), lte(key, until)))
    .orderBy(key);
  // Materialized, because it is used more than once.
  const batch = db
    .$with('rows', getTableColumns(table))
    .as(sql`${inOrder.getSQL()} fetch first ${sql.raw(`${batchSize}`)} rows with ties`);
  const last = db
    .select({ key: sql`${nameOf(key)}` })
    .from(sql`${batch}`)
    .orderBy(desc(sql`${nameOf(key)}`))
    .limit(1);
  const additions = add(batch).map((addition, n) => db.$with(`added_${n}`, {}).as(addition));
  const found = only(
    await db
      .with(batch, ...additions)
      .select({ count: count(), last: sql<Key | null>`${last}` })
      .from(sql`${batch}`),
  );
  const isMore = found.count >= batchSize;
  return { reached: isMore && found.last !== null ? found.last : until > from ? until : from, isMore };
}

function addToLedger(tx: Tx, found: ReturnType<typeof ledgerFacts>): SQL {
  const facts = found.as('facts');
  const insert = insertFrom(ledgerDays, { ...facts._.selectedFields, merchantId: tx.merchantId }, sql`${facts}`);
  const { merchantId, day, storeId, part, ...sums } = getTableColumns(ledgerDays);
  return sql`${insert} ${addOnConflict([merchantId, day, storeId, part], sums)}`;
}

function addCredit(tx: Tx, found: ReturnType<typeof creditFacts>): SQL {
  const facts = found.as('facts');
  const insert = insertFrom(creditDays, { ...facts._.selectedFields, merchantId: tx.merchantId }, sql`${facts}`);
  const { merchantId, part, grantedOn, expiresOn, ...sums } = getTableColumns(creditDays);
  return sql`${insert} ${addOnConflict([merchantId, part, grantedOn, expiresOn], sums)}`;
}

function addSales(tx: Tx, found: ReturnType<typeof saleFacts>): SQL {
  const facts = found.as('facts');
  const insert = insertFrom(saleDays, { ...facts._.selectedFields, merchantId: tx.merchantId }, sql`${facts}`);
  const { merchantId, dimension, day, storeId, key, label, ...sums } = getTableColumns(saleDays);
  return sql`${insert} ${addOnConflict([merchantId, dimension, day, storeId, key, label], sums)}`;
}

function addTransactions(tx: Tx, found: ReturnType<typeof transactionFacts>): SQL {
  const facts = found.as('facts');
  const insert = insertFrom(transactionDays, { ...facts._.selectedFields, merchantId: tx.merchantId }, sql`${facts}`);
  const { merchantId, day, storeId, type, changedAt, ...sums } = getTableColumns(transactionDays);
  const name = sql`${nameOf(changedAt)}`;
  return sql`${insert} ${addOnConflict([merchantId, day, storeId, type], sums)}, ${name} = greatest(${changedAt}, excluded.${name})`;
}

function addVouchers(tx: Tx, found: ReturnType<typeof redemptionFacts> | ReturnType<typeof issueFacts>): SQL {
  const facts = found.as('facts');
  const insert = insertFrom(voucherDays, { ...facts._.selectedFields, merchantId: tx.merchantId }, sql`${facts}`);
  const { merchantId, day, campaignId, ...sums } = getTableColumns(voucherDays);
  return sql`${insert} ${addOnConflict([merchantId, day, campaignId], sums)}`;
}

/** Adds to existing sums of the same key. */
function addOnConflict(key: PgColumn[], sums: Record<string, PgColumn>): SQL {
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  const names = list(key.map((column) => sql`${nameOf(column)}`));
  const added = Object.values(sums).map((sum) => sql`${nameOf(sum)} = ${sum} + excluded.${nameOf(sum)}`);
  return sql`on conflict (${names}) do update set ${list(added)}`;
}
