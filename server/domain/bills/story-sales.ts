/** The sales of a bill's history, including voided ones. */
import { and, asc, eq, gt, lt, lte, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { apiKeys, sales, transactions, users, voids } from '@/db/schema';
import { type LoadedBill, lastsUntil } from './load';

interface SaleChange {
  action: 'sale.record' | 'sale.void';
  at: Date;
  /** The name of the till's key, or of the member of staff who voided it. */
  by: string | null;
  /** The sale's total in minor units, and the void's reason. */
  details: { total: number; reason?: string };
  saleUid: string;
}

/** More than a bill has parts. */
const mostRead = 500;

/** Reads the sales of a bill as changes, each voided one with its void. */
export async function readSales({ merchantId, db }: Tx, { row, sold }: LoadedBill): Promise<SaleChange[]> {
  const { uid, status, occurredAt, voidedAt } = transactions;
  const voidingKey = alias(apiKeys, 'voiding_key');
  const isVoided = and(
    eq(status, 'voided').inlineParams(),
    gt(occurredAt, row.countsFrom),
    lt(occurredAt, lastsUntil(row)),
    row.closedAt === null ? undefined : lte(occurredAt, row.closedAt),
  );
  const rows = await db
    .select({
      uid,
      total: sales.total,
      at: occurredAt,
      by: apiKeys.name,
      voidedAt,
      voidedBy: sql<string | null>`coalesce(${users.name}, ${voidingKey.name})`,
      reason: voids.reason,
    })
    .from(transactions)
    .innerJoin(sales, and(eq(sales.merchantId, transactions.merchantId), eq(sales.transactionUid, uid)))
    .leftJoin(apiKeys, and(eq(apiKeys.merchantId, transactions.merchantId), eq(apiKeys.id, transactions.apiKeyId)))
    .leftJoin(voids, and(eq(voids.merchantId, transactions.merchantId), eq(voids.id, transactions.voidId)))
    .leftJoin(users, eq(users.id, voids.userId))
    .leftJoin(voidingKey, and(eq(voidingKey.merchantId, voids.merchantId), eq(voidingKey.id, voids.apiKeyId)))
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        eq(transactions.storeId, row.storeId),
        eq(transactions.billId, row.billId),
        eq(transactions.type, 'sale').inlineParams(),
        or(
          anyOf(
            uid,
            sold.map((part) => part.uid),
          ),
          isVoided,
        ),
      ),
    )
    .orderBy(asc(uid))
    .limit(mostRead);
  return rows.flatMap(({ uid: saleUid, total, at, by, voidedAt: endedAt, voidedBy, reason }) => {
    const recorded: SaleChange = { action: 'sale.record', at, by, details: { total }, saleUid };
    if (!endedAt) return [recorded];
    const details = reason === null ? { total } : { total, reason };
    return [recorded, { action: 'sale.void', at: endedAt, by: voidedBy, details, saleUid }];
  });
}
