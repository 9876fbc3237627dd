import { and, eq, exists, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { transactions, voucherCampaigns, vouchers } from '@/db/schema';
import type { RecordedType } from '../engine';
import { formatVoucherCode } from '../kernel/voucher-code';

export interface VoucherChange {
  /** The voided transaction that had redeemed or issued it. */
  transactionUid: string;
  voucherCode: string;
  campaignName: string;
  becomes: 'usable' | 'expired' | 'cancelled';
}

/** Returns what becomes of the vouchers that transactions redeemed or issued: their state after `writeVouchers`. */
export async function selectVoucherChanges(
  { merchantId, db }: Tx,
  live: { uid: string; type: RecordedType | null }[],
  now: Date,
): Promise<VoucherChange[]> {
  const uids = live.flatMap(({ uid, type }) => (type === 'redeemVoucher' || type === 'sale' ? uid : []));
  if (uids.length === 0) return [];
  const own = eq(vouchers.merchantId, merchantId);
  const redeemed = db
    .select({ id: vouchers.id })
    .from(vouchers)
    .where(and(own, anyOf(vouchers.redeemedBy, uids)));
  const unused = db
    .select({ id: vouchers.id })
    .from(vouchers)
    .where(and(own, anyOf(vouchers.issuedBy, uids), isNull(vouchers.redeemedAt), isNull(vouchers.cancelledAt)));
  const voidedIssuer = db
    .select({ uid: transactions.uid })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, vouchers.merchantId),
        eq(transactions.uid, vouchers.issuedBy),
        eq(transactions.status, 'voided'),
      ),
    );
  const rows = await db
    .select({
      transactionUid: sql<string>`case when ${anyOf(vouchers.redeemedBy, uids)} then ${vouchers.redeemedBy} else ${vouchers.issuedBy} end`,
      voucherCode: vouchers.voucherCode,
      campaignName: voucherCampaigns.name,
      isExpired: sql<boolean | null>`${lte(vouchers.expiresAt, now)}`,
      isCancelled: sql<boolean | null>`${or(anyOf(vouchers.issuedBy, uids), exists(voidedIssuer))}`,
    })
    .from(vouchers)
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    )
    .where(and(own, inArray(vouchers.id, redeemed.union(unused))))
    .orderBy(vouchers.voucherCode);
  return rows.map(({ transactionUid, voucherCode, campaignName, isExpired, isCancelled }) => ({
    transactionUid,
    voucherCode: formatVoucherCode(voucherCode),
    campaignName,
    becomes: isCancelled ? 'cancelled' : isExpired ? 'expired' : 'usable',
  }));
}
