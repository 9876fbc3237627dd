import { and, eq, exists, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type MergeUndo, voucherCounts, vouchers } from '@/db/schema';
import type { MergeInput } from './schemas';

/**
 * Moves a merged customer's vouchers, including used ones. So the kept customer gets no second voucher for the same
 * occasion, and the limit per customer counts both. Requires the locks of both balances. Returns the vouchers as they were.
 */
export async function moveVouchers(tx: Tx, { keptId, mergedId }: MergeInput): Promise<MergeUndo['vouchers']> {
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
  const before = await db
    .select({
      id: vouchers.id,
      occasion: vouchers.occasion,
      isUsed: sql<boolean>`${vouchers.redeemedAt} is not null or ${vouchers.cancelledAt} is not null`,
    })
    .from(vouchers)
    .where(and(eq(vouchers.merchantId, merchantId), eq(vouchers.customerId, mergedId)))
    .orderBy(vouchers.id);
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
  if (campaignIds.length === 0) return before;
  const counted = voucherCounts;
  const theirs = await db
    .select({ campaignId: counted.campaignId, issuedCount: counted.issuedCount })
    .from(counted)
    .where(
      and(eq(counted.merchantId, merchantId), anyOf(counted.campaignId, campaignIds), eq(counted.customerId, mergedId)),
    );
  if (theirs.length === 0) return before;
  await db
    .insert(counted)
    .values(theirs.map((one) => ({ merchantId, customerId: keptId, ...one })))
    .onConflictDoUpdate({
      target: [counted.merchantId, counted.campaignId, counted.customerId],
      set: { issuedCount: sql`${counted.issuedCount} + excluded.issued_count` },
    });
  return before;
}

/** Gives vouchers back to a customer whose merge is undone. Requires the locks of both balances. */
export async function returnVouchers(
  { merchantId, db }: Tx,
  { keptId, mergedId }: MergeInput,
  moved: MergeUndo['vouchers'],
): Promise<void> {
  if (moved.length === 0) return;
  const shape = { id: vouchers.id, occasion: vouchers.occasion };
  const { $rows, ...one } = recordset('moved', shape, moved);
  await db
    .update(vouchers)
    .set({ customerId: mergedId, occasion: one.occasion })
    .from($rows)
    .where(and(eq(vouchers.merchantId, merchantId), eq(vouchers.id, one.id), eq(vouchers.customerId, keptId)));
  // The merged customer's counts stayed.
  const counted = voucherCounts;
  const theirs = alias(voucherCounts, 'theirs');
  await db
    .update(counted)
    .set({ issuedCount: sql`greatest(0, ${counted.issuedCount} - ${theirs.issuedCount})` })
    .from(theirs)
    .where(
      and(
        eq(counted.merchantId, merchantId),
        eq(counted.customerId, keptId),
        eq(theirs.merchantId, merchantId),
        eq(theirs.customerId, mergedId),
        eq(theirs.campaignId, counted.campaignId),
      ),
    );
}
