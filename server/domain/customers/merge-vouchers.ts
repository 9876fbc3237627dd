import { and, eq, exists, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/client';
import { anyOf } from '@/db/expressions';
import { voucherCounts, vouchers } from '@/db/schema';
import type { MergeInput } from './schemas';

/**
 * Moves a merged customer's vouchers, also used ones: so the kept customer gets no second one for the same occasion, and
 * the limit for each customer counts both. Requires the locks of both balances.
 */
export async function moveVouchers(tx: Tx, { keptId, mergedId }: MergeInput): Promise<void> {
  const { merchantId, db } = tx;
  const own = alias(vouchers, 'own');
  // A voucher of one occasion that both have keeps none: it is unique for each customer.
  const hasOccasion = exists(
    db
      .select({ id: own.id })
      .from(own)
      .where(
        and(
          eq(own.merchantId, merchantId),
          eq(own.campaignId, vouchers.campaignId),
          eq(own.customerId, keptId),
          eq(own.occasion, vouchers.occasion),
        ),
      ),
  );
  const move = (which: SQL | undefined) =>
    db
      .update(vouchers)
      .set({ customerId: keptId, occasion: sql`case when ${hasOccasion} then null else ${vouchers.occasion} end` })
      .where(and(eq(vouchers.merchantId, merchantId), eq(vouchers.customerId, mergedId), which))
      .returning({ campaignId: vouchers.campaignId });
  // One index has the unused ones, another the rest.
  const moved = [
    ...(await move(and(isNull(vouchers.redeemedAt), isNull(vouchers.cancelledAt)))),
    ...(await move(or(isNotNull(vouchers.redeemedAt), isNotNull(vouchers.cancelledAt)))),
  ];
  const campaignIds = [...new Set(moved.map(({ campaignId }) => campaignId))];
  if (campaignIds.length === 0) return;
  const counted = voucherCounts;
  const theirs = await db
    .select({ campaignId: counted.campaignId, issuedCount: counted.issuedCount })
    .from(counted)
    .where(
      and(eq(counted.merchantId, merchantId), anyOf(counted.campaignId, campaignIds), eq(counted.customerId, mergedId)),
    );
  if (theirs.length === 0) return;
  await db
    .insert(counted)
    .values(theirs.map((one) => ({ merchantId, customerId: keptId, ...one })))
    .onConflictDoUpdate({
      target: [counted.merchantId, counted.campaignId, counted.customerId],
      set: { issuedCount: sql`${counted.issuedCount} + excluded.issued_count` },
    });
}
