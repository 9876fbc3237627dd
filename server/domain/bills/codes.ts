/** The QR codes at which a bill's diners ordered, and the bills of codes. */

import { type AnyColumn, and, asc, eq, exists, gt, gte, lt, max, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import type { Queries } from '@/db/query/queries';
import { bills, qrCodes, transactions } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import { firstIdAt } from '../kernel/ids';
import type { BillName, BillRow } from './load';
import { endsNumber } from './window';

export interface BillCode {
  qrCodeId: string;
  guests: number | null;
}

/**
 * Finds the code of each bill: the latest code with the bill's number, from the time when the number was
 * this bill's. Null if there is none.
 */
export async function findCodes({ merchantId, db }: Tx, rows: BillRow[]): Promise<(BillCode | null)[]> {
  if (rows.length === 0) return [];
  const since = Math.min(...rows.map(({ countsFrom }) => countsFrom.getTime()));
  const { id, storeId, billId, guests, createdAt } = qrCodes;
  const codes = await db
    .select({ qrCodeId: id, storeId, billId, guests, createdAt })
    .from(qrCodes)
    .where(
      and(
        eq(qrCodes.merchantId, merchantId),
        anyOf(storeId, [...new Set(rows.map((row) => row.storeId))]),
        anyOf(
          billId,
          rows.map((row) => row.billId),
        ),
        gte(id, firstIdAt(new Date(since))),
      ),
    )
    .orderBy(asc(id));
  return rows.map((row) => {
    const code = codes.findLast(
      (one) =>
        one.storeId === row.storeId &&
        one.billId === row.billId &&
        one.createdAt >= row.countsFrom &&
        (row.closedAt === null || one.createdAt < row.closedAt),
    );
    return code ? { qrCodeId: code.qrCodeId, guests: code.guests } : null;
  });
}

interface CodeColumns {
  merchantId: AnyColumn;
  storeId: AnyColumn;
  billId: AnyColumn;
  createdAt: AnyColumn;
}

const isOfCode = ({ merchantId, storeId, billId }: typeof bills | typeof transactions, code: CodeColumns) =>
  and(eq(merchantId, code.merchantId), eq(storeId, code.storeId), eq(billId, code.billId));

const isSaleSince = (db: Queries, code: CodeColumns) =>
  and(
    isOfCode(transactions, code),
    eq(transactions.type, 'sale').inlineParams(),
    eq(transactions.status, 'completed').inlineParams(),
    gt(transactions.occurredAt, code.createdAt),
    endsNumber(db),
  );

/**
 * Matches codes whose bill has ended: it was closed or voided since the code was created, or sold if its till sends no
 * bills.
 */
export function hasEndedBill(db: Queries, code: CodeColumns): SQL {
  const idsOf = (table: typeof bills) => db.select({ id: table.id }).from(table);
  const ended = idsOf(bills).where(and(isOfCode(bills, code), gt(bills.closedAt, code.createdAt)));
  const open = idsOf(bills).where(and(isOfCode(bills, code), eq(bills.state, 'open').inlineParams()));
  const sold = db.select({ uid: transactions.uid }).from(transactions).where(isSaleSince(db, code));
  return sql`(${exists(ended)} or ${exists(sold)} and ${notExists(open)})`;
}

/**
 * Selects when a code's bill ended, as `hasEndedBill`; null while it has not. The larger of two times, if its number had
 * several bills.
 */
export function billEndedAt(db: Queries, code: CodeColumns): SQL<Date | null> {
  const { createdAt } = transactions;
  const closed = db
    .select({ at: max(bills.closedAt) })
    .from(bills)
    .where(isOfCode(bills, code));
  const sold = db
    .select({ at: max(createdAt) })
    .from(transactions)
    .where(isSaleSince(db, code));
  return sql`case when ${hasEndedBill(db, code)} then greatest((${closed}), (${sold})) end`.mapWith(bills.closedAt);
}

interface Seating {
  table?: string | undefined;
  guests?: number | undefined;
}

/** Moves the open code of a bill to the table that its till names, and counts its guests anew. What is not sent stays. */
export async function moveCode(tx: Tx, { storeId, billId }: BillName, { table, guests }: Seating): Promise<void> {
  const changes = [
    ...(table === undefined ? [] : [sql`${qrCodes.table} is distinct from ${table}`]),
    ...(guests === undefined ? [] : [sql`${qrCodes.guests} is distinct from ${guests}`]),
  ];
  if (changes.length === 0) return;
  const isOfBill = and(eq(qrCodes.storeId, storeId), eq(qrCodes.billId, billId));
  const moved = await tx.db
    .update(qrCodes)
    .set({ table, guests })
    .where(
      and(eq(qrCodes.merchantId, tx.merchantId), isOfBill, eq(qrCodes.status, 'active').inlineParams(), or(...changes)),
    )
    .returning({ id: qrCodes.id });
  await Promise.all(moved.flatMap(({ id }) => [announceChange(tx, 'qrCodes', id), announceChange(tx, 'orders', id)]));
}

/** Expires the open codes of a bill's number from before a time, when the number begins another bill. */
export async function expireCodes(tx: Tx, { storeId, billId }: BillName, before: Date): Promise<void> {
  const isOfNumber = and(eq(qrCodes.storeId, storeId), eq(qrCodes.billId, billId), lt(qrCodes.createdAt, before));
  const expired = await tx.db
    .update(qrCodes)
    .set({ status: 'expired' })
    .where(and(eq(qrCodes.merchantId, tx.merchantId), isOfNumber, eq(qrCodes.status, 'active').inlineParams()))
    .returning({ id: qrCodes.id });
  await Promise.all(expired.map(({ id }) => announceChange(tx, 'qrCodes', id)));
}
