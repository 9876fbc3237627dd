/** The QR codes at which a bill's diners ordered, and the bills of codes. */

import { and, asc, eq, gte } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { bills, qrCodes } from '@/db/schema';
import { firstIdAt } from '../kernel/ids';
import type { BillRow } from './load';

export interface BillCode {
  qrCodeId: string;
  guests: number | null;
}

/**
 * Finds the code of each of a store's bills: the latest code with the bill's number, from the time when the number was
 * this bill's. Null if there is none.
 */
export async function findCodes({ merchantId, db }: Tx, rows: BillRow[]): Promise<(BillCode | null)[]> {
  const [first] = rows;
  if (!first) return [];
  const since = Math.min(...rows.map(({ countsFrom }) => countsFrom.getTime()));
  const { id, storeId, billId, guests, createdAt } = qrCodes;
  const codes = await db
    .select({ qrCodeId: id, billId, guests, createdAt })
    .from(qrCodes)
    .where(
      and(
        eq(qrCodes.merchantId, merchantId),
        eq(storeId, first.storeId),
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
        one.billId === row.billId &&
        one.createdAt >= row.countsFrom &&
        (row.closedAt === null || one.createdAt < row.closedAt),
    );
    return code ? { qrCodeId: code.qrCodeId, guests: code.guests } : null;
  });
}

/** Finds the ids of a store's open bills by their numbers. */
export async function findOpenBills({ merchantId, db }: Tx, storeId: string, billIds: string[]) {
  const { id, billId, state } = bills;
  const rows = await db
    .select({ id, billId })
    .from(bills)
    .where(
      and(
        eq(bills.merchantId, merchantId),
        eq(bills.storeId, storeId),
        anyOf(billId, billIds),
        eq(state, 'open').inlineParams(),
      ),
    );
  return new Map(rows.map((row) => [row.billId, row.id]));
}
