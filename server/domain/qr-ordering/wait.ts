/** How long a store's orders take. */

import { and, desc, eq, gt } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { type Given, ofEach, prepare, type Queries } from '@/db/query/queries';
import { orders, qrCodes } from '@/db/schema';
import type { CodeName } from './find-code';
import { isIn } from './orders';

/** A wait is estimated from the store's last orders that were ready within two hours. */
const estimatedFrom = 20;
const minEstimatedFrom = 5;
const recentMs = 2 * 60 * 60_000;
/** Ignores orders marked as ready almost at once, which say nothing about the wait. */
const minMinutes = 2;
const stepMinutes = 5;

const storeOf = (db: Queries, { merchantId, qrCodeId }: Given<CodeName>) =>
  db
    .select({ storeId: qrCodes.storeId })
    .from(qrCodes)
    .where(and(eq(qrCodes.merchantId, merchantId), eq(qrCodes.id, qrCodeId)));

const lastOf = ofEach(['ready', 'served'], (status: 'ready' | 'served') =>
  prepare((db, given: Given<CodeName>) =>
    db
      .select({ number: orders.number, placedAt: orders.placedAt, updatedAt: orders.updatedAt })
      .from(orders)
      .where(
        and(
          eq(orders.merchantId, given.merchantId),
          eq(orders.storeId, storeOf(db, given)),
          isIn(status),
          gt(orders.number, 0),
        ),
      )
      .orderBy(desc(orders.number))
      .limit(estimatedFrom),
  ),
);

/**
 * Estimates the minutes until an order is ready at a code's store, in steps of five; null if there is too little to
 * tell.
 */
export async function estimateWait({ db }: Tx, code: CodeName, now: Date): Promise<number | null> {
  const { merchantId, qrCodeId } = code;
  const last = await Promise.all([
    lastOf.ready(db, { merchantId, qrCodeId }),
    lastOf.served(db, { merchantId, qrCodeId }),
  ]);
  const recent = last
    .flat()
    .filter(({ placedAt }) => now.getTime() - placedAt.getTime() < recentMs)
    .sort((one, other) => other.number - one.number)
    .slice(0, estimatedFrom);
  if (recent.length < minEstimatedFrom) return null;
  const minutes = recent.map(({ placedAt, updatedAt }) => (updatedAt.getTime() - placedAt.getTime()) / 60_000);
  const median = minutes.sort((one, other) => one - other)[Math.floor(minutes.length / 2)] as number;
  return median < minMinutes ? null : Math.ceil(median / stepMinutes) * stepMinutes;
}
