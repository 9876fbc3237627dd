/** The terms of the vouchers that were redeemed on bills. */
import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { voucherCampaigns, vouchers } from '@/db/schema';
import type { RedeemedTerms } from '../kernel/voucher-pricing';

const findTerms = prepare((db, given: Given<{ merchantId: string; uids: string[] }>) => {
  const { stackable, unit, value, plus, minSpend, maxDiscount, maxUnits } = voucherCampaigns;
  return db
    .select({ uid: sql<string>`${vouchers.redeemedBy}`, stackable, unit, value, plus, minSpend, maxDiscount, maxUnits })
    .from(vouchers)
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    )
    .where(and(eq(vouchers.merchantId, given.merchantId), anyOf(vouchers.redeemedBy, given.uids)));
});

/** Returns the terms of vouchers by the uid of their redemption. Asks the database only if there are any. */
export async function loadVoucherTerms(
  { merchantId, db }: Pick<Tx, 'merchantId' | 'db'>,
  uids: string[],
): Promise<Map<string, RedeemedTerms>> {
  if (uids.length === 0) return new Map();
  const rows = await findTerms(db, { merchantId, uids: [...new Set(uids)] });
  return new Map(rows.map(({ uid, ...terms }) => [uid, terms]));
}
