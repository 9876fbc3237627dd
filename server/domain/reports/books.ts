import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/client';
import {
  ledgerDays,
  ledgerEntries,
  reportProgress,
  transactionDays,
  transactions,
  voucherDays,
  vouchers,
} from '@/db/schema';
import type { StaffContext } from '../core/context';
import { bookings, issueFacts, ledgerFacts, redemptionFacts, reversals, transactionFacts } from './facts';

const nilId = '00000000-0000-0000-0000-000000000000';
/** Where the sums reach before anything is summed up. */
export const nothingSummed = { entryId: 0, transactionUid: nilId, voidId: nilId, voucherId: nilId };

/** How far the sums reach, in each of their sources. */
export const reached = {
  entryId: reportProgress.entryId,
  transactionUid: reportProgress.transactionUid,
  voidId: reportProgress.voidId,
  voucherId: reportProgress.voucherId,
};

/** A merchant's sums by day at one moment, to the last row that is booked: to select from. */
export type Books = { tx: Tx } & ReturnType<typeof sums>;

/** Opens the books: what `read` asks of them is all of one moment. */
export function readBooks<T>({ db, merchant }: StaffContext, read: (books: Books) => Promise<T>): Promise<T> {
  return withMerchant(db, merchant.id, async (tx) => {
    const [, , [progress]] = await Promise.all([
      tx.db.run(sql`set transaction isolation level repeatable read, read only`),
      // Planned with their values: how few rows lie behind the sums, a plan for any value would not know.
      tx.db.run(sql`set local plan_cache_mode = force_custom_plan`),
      tx.db.select(reached).from(reportProgress).where(eq(reportProgress.merchantId, tx.merchantId)),
    ]);
    return read({ tx, ...sums(tx, merchant.timeZone, progress ?? nothingSummed) });
  });
}

/** The columns of a table of sums that its facts have, too. */
const summed = <Columns extends { merchantId: PgColumn }>({ merchantId: _, ...columns }: Columns) => columns;

/** The sums, and what lies behind them as it stands. */
function sums({ merchantId, db }: Tx, timeZone: string, progress: typeof nothingSummed) {
  const { entryId, transactionUid, voidId, voucherId } = progress;
  const entries = db
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.merchantId, merchantId), gt(ledgerEntries.id, entryId)))
    .as('rows');
  const behind = (key: typeof transactions.uid | typeof transactions.voidId, last: string) =>
    db
      .select()
      .from(transactions)
      .where(and(eq(transactions.merchantId, merchantId), gt(key, last)))
      .as('rows');
  const booked = bookings(db, behind(transactions.uid, transactionUid));
  const takenBack = reversals(db, behind(transactions.voidId, voidId));
  const issued = db
    .select()
    .from(vouchers)
    .where(and(eq(vouchers.merchantId, merchantId), gt(vouchers.id, voucherId)))
    .as('rows');
  return {
    ledgerDays: db
      .select(summed(getTableColumns(ledgerDays)))
      .from(ledgerDays)
      .where(eq(ledgerDays.merchantId, merchantId))
      .unionAll(ledgerFacts(db, timeZone, entries))
      .as('days'),
    transactionDays: db
      .select(summed(getTableColumns(transactionDays)))
      .from(transactionDays)
      .where(eq(transactionDays.merchantId, merchantId))
      .unionAll(transactionFacts(db, timeZone, booked))
      .unionAll(transactionFacts(db, timeZone, takenBack))
      .as('days'),
    voucherDays: db
      .select(summed(getTableColumns(voucherDays)))
      .from(voucherDays)
      .where(eq(voucherDays.merchantId, merchantId))
      .unionAll(redemptionFacts(db, timeZone, booked))
      .unionAll(redemptionFacts(db, timeZone, takenBack))
      .unionAll(issueFacts(db, timeZone, issued))
      .as('days'),
  };
}

/** What the value that customers hold grew or shrank by. */
export const changeOf = ({ granted, spent, voided, expired, adjusted }: Books['ledgerDays']) =>
  sql<number>`${granted} + ${spent} + ${voided} + ${expired} + ${adjusted}`;
