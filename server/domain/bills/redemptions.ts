/** Everything that was redeemed on a bill, including what was later taken back: by whom, and where. */

import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import {
  apiKeys,
  bills,
  customers,
  partialRefunds,
  transactions,
  users,
  voids,
  voucherCampaigns,
  vouchers,
} from '@/db/schema';
import { fullName } from '../identity';
import { parseVoucherCode } from '../kernel/voucher-code';
import type { BillRow } from './load';
import { worthOf } from './rules';
import { type RedemptionType, redemptionType } from './schemas';
import { isRedeemedOn } from './window';

export interface RecordedRedemption {
  /** Of the transaction. */
  uid: string;
  transactionId: string;
  type: RedemptionType;
  customerName: string;
  /** The campaign of a voucher. */
  voucherName: string | null;
  /** In minor units. */
  amount: number;
  at: Date;
  /** The till's key; null if the customer redeemed with a phone. */
  by: string | null;
  /** True if it is what a partial refund left of another redemption. */
  isRest: boolean;
  /**
   * Set once it was taken back. `amount` is lower than the redemption's if only a part was. `by` is null for the
   * customer, by phone.
   */
  takenBack: { at: Date; by: string | null; amount: number; reason: string | null } | null;
}

/** No bill has more that count. */
const mostRead = 500;

/** Reads a bill's redemptions, oldest first, including voided ones. */
export async function readRedemptions(tx: Tx, bill: Pick<BillRow, 'id'>): Promise<RecordedRedemption[]> {
  const { uid, transactionId, type, amount, answer, occurredAt, voidedAt } = transactions;
  const [asVoided, asRest] = [alias(partialRefunds, 'as_voided'), alias(partialRefunds, 'as_rest')];
  const voidingKey = alias(apiKeys, 'voiding_key');
  const rows = await tx.db
    .select({
      uid,
      transactionId,
      type,
      amount,
      answer,
      at: occurredAt,
      voidedAt,
      customerName: fullName,
      by: apiKeys.name,
      restOf: asRest.voidedUid,
      refunded: asVoided.amount,
      reason: voids.reason,
      voidedBy: sql<string | null>`coalesce(${users.name}, ${voidingKey.name})`,
    })
    .from(bills)
    .innerJoin(transactions, eq(transactions.merchantId, bills.merchantId))
    .innerJoin(
      customers,
      and(eq(customers.merchantId, transactions.merchantId), eq(customers.id, transactions.customerId)),
    )
    .leftJoin(apiKeys, and(eq(apiKeys.merchantId, transactions.merchantId), eq(apiKeys.id, transactions.apiKeyId)))
    .leftJoin(voids, and(eq(voids.merchantId, transactions.merchantId), eq(voids.id, transactions.voidId)))
    .leftJoin(users, eq(users.id, voids.userId))
    .leftJoin(voidingKey, and(eq(voidingKey.merchantId, voids.merchantId), eq(voidingKey.id, voids.apiKeyId)))
    .leftJoin(asVoided, and(eq(asVoided.merchantId, transactions.merchantId), eq(asVoided.voidedUid, uid)))
    .leftJoin(asRest, and(eq(asRest.merchantId, transactions.merchantId), eq(asRest.restUid, uid)))
    .where(
      and(
        eq(bills.merchantId, tx.merchantId),
        eq(bills.id, bill.id),
        inArray(type, redemptionType.options).inlineParams(),
        inArray(transactions.status, ['completed', 'voided']).inlineParams(),
        isRedeemedOn(bills),
      ),
    )
    .orderBy(asc(uid))
    .limit(mostRead);
  // A voucher that was given back no longer names its redemption, so it is found by the code in the response.
  const codes = rows.map(({ answer }) => {
    const { voucherCode }: { voucherCode?: string } = JSON.parse(answer ?? '{}');
    return voucherCode ? parseVoucherCode(voucherCode) : null;
  });
  const names = await findNames(
    tx,
    codes.filter((code) => code !== null),
  );
  return rows.map(({ restOf, refunded, reason, voidedBy, voidedAt: back, answer, ...row }, n) => {
    const worth = worthOf(rows[n] as (typeof rows)[number]);
    return {
      ...row,
      transactionId: row.transactionId as string,
      type: redemptionType.parse(row.type),
      amount: worth,
      voucherName: names.get(codes[n] ?? '') ?? null,
      isRest: restOf !== null,
      takenBack: back && { at: back, by: voidedBy, amount: refunded ?? worth, reason },
    };
  });
}

/** Returns voucher names by code. */
async function findNames({ merchantId, db }: Tx, codes: string[]): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map();
  const { voucherCode, campaignId } = vouchers;
  const rows = await db
    .select({ voucherCode, name: voucherCampaigns.name })
    .from(vouchers)
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, campaignId)),
    )
    .where(and(eq(vouchers.merchantId, merchantId), anyOf(voucherCode, codes)));
  return new Map(rows.map((row) => [row.voucherCode, row.name]));
}
