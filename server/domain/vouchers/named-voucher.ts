/** Finds the voucher that each redemption names. */
import { and, eq, exists, isNull, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { transactions, voucherCampaignStores, voucherCampaigns, vouchers } from '@/db/schema';
import type { PosAttempt } from '../engine';
import { parseVoucherCode } from '../kernel/voucher-code';
import { termColumns } from './issue';
import type { RedeemVoucherInput } from './schemas';

type Redemption = PosAttempt<Pick<RedeemVoucherInput, 'transactionId' | 'voucherCode'>>;

interface Wanted {
  uid: string;
  voucherCode: string;
  customerId: string | null;
  storeId: string;
}

const findNamed = prepare((db, given: Given<{ merchantId: string; wanted: Wanted[]; codes: string[] }>) => {
  const shape = {
    uid: transactions.uid,
    voucherCode: vouchers.voucherCode,
    customerId: transactions.customerId,
    storeId: voucherCampaignStores.storeId,
  };
  const { $rows, ...wanted } = recordset('wanted', shape, given.wanted);
  const ofStore = db
    .select({ storeId: voucherCampaignStores.storeId })
    .from(voucherCampaignStores)
    .where(
      and(
        eq(voucherCampaignStores.merchantId, voucherCampaigns.merchantId),
        eq(voucherCampaignStores.campaignId, voucherCampaigns.id),
        eq(voucherCampaignStores.storeId, wanted.storeId),
      ),
    );
  return db
    .select({
      uid: wanted.uid,
      voucherCode: vouchers.voucherCode,
      id: vouchers.id,
      expiresAt: vouchers.expiresAt,
      redeemedAt: vouchers.redeemedAt,
      ...termColumns,
      validFrom: voucherCampaigns.validFrom,
      isForStore: sql<boolean>`${or(voucherCampaigns.allStores, exists(ofStore))}`,
    })
    .from($rows)
    .innerJoin(
      vouchers,
      and(
        eq(vouchers.merchantId, given.merchantId),
        anyOf(vouchers.voucherCode, given.codes),
        eq(vouchers.voucherCode, wanted.voucherCode),
        eq(vouchers.customerId, wanted.customerId),
        isNull(vouchers.cancelledAt),
      ),
    )
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    );
});

export type NamedVoucher = Awaited<ReturnType<typeof findNamed>>[number];

/** Returns each redemption's voucher by its uid. A voucher that does not exist is absent. */
export async function findVouchers(
  { merchantId, db }: Tx,
  redemptions: Redemption[],
): Promise<Map<string, NamedVoucher>> {
  const wanted = redemptions.flatMap(({ uid, customerId, storeId, input }) => {
    const voucherCode = parseVoucherCode(input.voucherCode);
    return voucherCode === null ? [] : { uid, voucherCode, customerId, storeId };
  });
  if (wanted.length === 0) return new Map();
  const rows = await findNamed(db, { merchantId, wanted, codes: wanted.map(({ voucherCode }) => voucherCode) });
  return new Map(rows.map((row) => [row.uid, row]));
}
