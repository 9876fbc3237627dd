import { and, eq, exists, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare, type Queries } from '@/db/query/queries';
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

type Question = Given<{ merchantId: string; uids: string[]; now: Date }>;

/** Selects the vouchers of a condition, which a transaction redeemed or issued. */
const selectOf = (
  db: Queries,
  given: Question,
  condition: SQL | undefined,
  transactionUid: typeof vouchers.redeemedBy | typeof vouchers.issuedBy,
  isCancelled: SQL,
) =>
  db
    .select({
      transactionUid: sql<string>`${transactionUid}`.as('voided_uid'),
      voucherCode: vouchers.voucherCode,
      campaignName: voucherCampaigns.name,
      isExpired: sql<boolean | null>`${lte(vouchers.expiresAt, given.now)}`.as('is_expired'),
      isCancelled: sql<boolean>`${isCancelled}`.as('is_cancelled'),
    })
    .from(vouchers)
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    )
    .where(and(eq(vouchers.merchantId, given.merchantId), anyOf(transactionUid, given.uids), condition));

const select = prepare((db, given: Question) => {
  const voidedIssuer = db
    .select({ uid: transactions.uid })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, vouchers.merchantId),
        eq(transactions.uid, vouchers.issuedBy),
        eq(transactions.status, 'voided').inlineParams(),
      ),
    );
  const isIssuerVoided = sql`(${vouchers.issuedBy} = any(${given.uids}::uuid[]) or ${exists(voidedIssuer)})`;
  const isUnused = and(isNull(vouchers.redeemedAt), isNull(vouchers.cancelledAt));
  return selectOf(db, given, undefined, vouchers.redeemedBy, isIssuerVoided).unionAll(
    selectOf(db, given, isUnused, vouchers.issuedBy, sql`true`),
  );
});

/**
 * Returns what becomes of the vouchers that transactions redeemed or issued, by code: their state after
 * `writeVouchers`.
 */
export async function selectVoucherChanges(
  { merchantId, db }: Tx,
  live: { uid: string; type: RecordedType | null }[],
  now: Date,
): Promise<VoucherChange[]> {
  const uids = live.flatMap(({ uid, type }) => (type === 'redeemVoucher' || type === 'sale' ? uid : []));
  if (uids.length === 0) return [];
  const rows = await select(db, { merchantId, uids, now });
  return rows
    .map(({ transactionUid, voucherCode, campaignName, isExpired, isCancelled }) => ({
      transactionUid,
      voucherCode: formatVoucherCode(voucherCode),
      campaignName,
      becomes: isCancelled ? ('cancelled' as const) : isExpired ? ('expired' as const) : ('usable' as const),
    }))
    .sort((a, b) => (a.voucherCode < b.voucherCode ? -1 : 1));
}
