/** The sales of a bill's history, including voided ones. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { apiKeys, bills, sales, transactions, users, voids } from '@/db/schema';
import type { BillRow } from './load';
import { isSoldOn } from './window';

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
export async function readSales({ merchantId, db }: Tx, { id }: BillRow): Promise<SaleChange[]> {
  const { uid, status, occurredAt, voidedAt } = transactions;
  const voidingKey = alias(apiKeys, 'voiding_key');
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
    .from(bills)
    .innerJoin(transactions, eq(transactions.merchantId, bills.merchantId))
    .innerJoin(sales, and(eq(sales.merchantId, transactions.merchantId), eq(sales.transactionUid, uid)))
    .leftJoin(apiKeys, and(eq(apiKeys.merchantId, transactions.merchantId), eq(apiKeys.id, transactions.apiKeyId)))
    .leftJoin(voids, and(eq(voids.merchantId, transactions.merchantId), eq(voids.id, transactions.voidId)))
    .leftJoin(users, eq(users.id, voids.userId))
    .leftJoin(voidingKey, and(eq(voidingKey.merchantId, voids.merchantId), eq(voidingKey.id, voids.apiKeyId)))
    .where(
      and(
        eq(bills.merchantId, merchantId),
        eq(bills.id, id),
        eq(transactions.type, 'sale').inlineParams(),
        inArray(status, ['completed', 'voided']).inlineParams(),
        isSoldOn(db, bills),
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
