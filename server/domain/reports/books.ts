import { and, eq, getTableColumns, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withSnapshot } from '@/db/driver';
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
import type { StoreDays } from '../kernel/calendar';
import { readStoreDays } from '../merchants';
import { bookings, creditFacts, issueFacts, ledgerFacts, redemptionFacts, reversals, transactionFacts } from './facts';
import type { ReportContext } from './rules';
import { saleFacts } from './sale-facts';

const nilId = '00000000-0000-0000-0000-000000000000';
/** The progress before anything is summed. */
export const initialProgress = { entryId: 0, transactionUid: nilId, voidId: nilId, voucherId: nilId };

/** The columns of the sums' progress, one per source. */
export const progressColumns = {
  entryId: reportProgress.entryId,
  transactionUid: reportProgress.transactionUid,
  voidId: reportProgress.voidId,
  voucherId: reportProgress.voucherId,
};

/** A merchant's daily sums at one moment, up to the last recorded row, to select from. */
export type Books = { tx: Tx; days: StoreDays; isInStore: SQL | undefined } & ReturnType<typeof sums>;

/** Runs `read` on the books as of one moment. For staff of named stores, these are only their stores' books. */
export function readBooks<T>({ db, merchant }: ReportContext, read: (books: Books) => Promise<T>): Promise<T> {
  return withSnapshot(db, merchant.id, async (tx) => {
    const [, [progress], days] = await Promise.all([
      // Plans with actual values: a generic plan would not know how few rows are not yet summed.
      tx.db.run(sql`set local plan_cache_mode = force_custom_plan`),
      tx.db.select(progressColumns).from(reportProgress).where(eq(reportProgress.merchantId, tx.merchantId)),
      readStoreDays(tx),
    ]);
    // What happened outside of stores belongs to no named store. Stored sums without a store are hidden by row-level
    // security.
    const isInStore = db.stores ? isNotNull(transactions.storeId) : undefined;
    return read({ tx, days, isInStore, ...sums(tx, days, progress ?? initialProgress, isInStore) });
  });
}

/** The columns that a table of sums shares with its facts. */
const summed = <Columns extends { merchantId: PgColumn }>({ merchantId, ...columns }: Columns) => columns;

/** Selects the stored sums together with the rows that are not summed yet. */
function sums({ merchantId, db }: Tx, days: StoreDays, progress: typeof initialProgress, isInStore: SQL | undefined) {
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
      .where(and(eq(transactions.merchantId, merchantId), gt(key, last), isInStore))
      .as('rows');
  const booked = bookings(db, days, behind(transactions.uid, transactionUid));
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
      .unionAll(ledgerFacts(db, days, entries, isInStore))
      .as('days'),
    creditDays: db
      .select(summed(getTableColumns(creditDays)))
      .from(creditDays)
      .where(eq(creditDays.merchantId, merchantId))
      .unionAll(creditFacts(db, days, entries))
      .as('credit'),
    saleDays: db
      .select(summed(getTableColumns(saleDays)))
      .from(saleDays)
      .where(eq(saleDays.merchantId, merchantId))
      .unionAll(saleFacts(db, days, booked))
      .unionAll(saleFacts(db, days, takenBack))
      .as('days'),
    transactionDays: db
      .select(summed(getTableColumns(transactionDays)))
      .from(transactionDays)
      .where(eq(transactionDays.merchantId, merchantId))
      .unionAll(transactionFacts(db, days, booked))
      .unionAll(transactionFacts(db, days, takenBack))
      .as('days'),
    voucherDays: db
      .select(summed(getTableColumns(voucherDays)))
      .from(voucherDays)
      .where(eq(voucherDays.merchantId, merchantId))
      .unionAll(redemptionFacts(db, days, booked))
      .unionAll(redemptionFacts(db, days, takenBack))
      .unionAll(issueFacts(db, days, issued))
      .as('days'),
  };
}

/** The net change of what customers hold. */
export const changeOf = ({ granted, spent, expired, adjusted }: Books['ledgerDays']) =>
  sql<number>`${granted} + ${spent} + ${expired} + ${adjusted}`;
