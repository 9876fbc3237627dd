import { and, eq, exists, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { voucherCounts, vouchers } from '@/db/schema';
import type { MergeInput } from './schemas';

/**
 * Moves a merged customer's vouchers, including used ones. So the kept customer gets no second voucher for the same
 * occasion, and the limit per customer counts both. Requires the locks of both balances.
 */
export async function moveVouchers(tx: Tx, { keptId, mergedId }: MergeInput): Promise<void> {
  const { merchantId, db } = tx;
  const own = alias(vouchers, 'own');
  // If both have a voucher of the same occasion, the moved one loses it: an occasion is unique per customer.
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
  // One index has the unused vouchers, and another has the rest.
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
