/** What happens at the tables of a store now: the bills that are open there, and the calls of their guests. */

import { and, eq, ne, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { orders } from '@/db/schema';
import { readOpenBills } from '../bills';
import { listOpenCodes, readWaitingCalls, type TableCallKind } from '../qr-ordering';
import { sameTable, type Visit } from './rules';

/** The visits at one table, and the calls from it. */
export interface AtTable {
  visits: Visit[];
  calls: TableCallKind[];
}

/** Returns what is open at each table of a store, by its name as `sameTable` writes it. */
export async function readVisits(tx: Tx, storeId: string, now: Date): Promise<Map<string, AtTable>> {
  const [codes, bills, calls] = await Promise.all([
    listOpenCodes(tx, storeId, now),
    readOpenBills(tx, storeId, now),
    readWaitingCalls(tx, storeId, now),
  ]);
  const ordered = await sumOrders(
    tx,
    codes.map(({ qrCodeId }) => qrCodeId),
  );
  const tables = new Map<string, AtTable>();
  const at = (table: string): AtTable => {
    const found = tables.get(sameTable(table)) ?? { visits: [], calls: [] };
    tables.set(sameTable(table), found);
    return found;
  };
  const billOf = new Map(bills.map((bill) => [bill.billId, bill]));
  for (const { billUid, billId, table, openedAt, total, due, isPaid } of bills) {
    if (table === null || codes.some((code) => code.billId === billId)) continue;
    const since = openedAt.toISOString();
    at(table).visits.push({
      qrCodeId: null,
      billUid,
      billId,
      since,
      guests: null,
      total,
      due,
      isPaid,
      hasOrdered: true,
    });
  }
  for (const { qrCodeId, billId, guests, createdAt, ...code } of codes) {
    const bill = billOf.get(billId);
    const table = code.table ?? bill?.table;
    if (!table) continue;
    const orderTotal = ordered.get(qrCodeId);
    const since = new Date(Math.min(createdAt.getTime(), bill?.openedAt.getTime() ?? Number.POSITIVE_INFINITY));
    at(table).visits.push({
      qrCodeId,
      billUid: bill?.billUid ?? null,
      billId,
      since: since.toISOString(),
      guests,
      total: bill?.total ?? orderTotal ?? 0,
      due: bill?.due ?? orderTotal ?? 0,
      isPaid: bill?.isPaid ?? false,
      hasOrdered: orderTotal !== undefined || (bill !== undefined && bill.total > 0),
    });
  }
  for (const { table, kind } of calls) if (table !== null) at(table).calls.push(kind);
  return tables;
}

/** Sums the orders of codes that are not cancelled, also those that wait for staff. A code without orders is absent. */
async function sumOrders({ merchantId, db }: Tx, qrCodeIds: string[]): Promise<Map<string, number>> {
  if (qrCodeIds.length === 0) return new Map();
  const rows = await db
    .select({ qrCodeId: orders.qrCodeId, total: sql<number>`sum(${orders.total})::bigint` })
    .from(orders)
    .where(
      and(
        eq(orders.merchantId, merchantId),
        anyOf(orders.qrCodeId, qrCodeIds),
        ne(orders.status, 'cancelled').inlineParams(),
      ),
    )
    .groupBy(orders.qrCodeId);
  return new Map(rows.map(({ qrCodeId, total }) => [qrCodeId, total]));
}
