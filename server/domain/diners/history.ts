import { and, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf, nameIn } from '@/db/query/expressions';
import { storedValuePackages, transactions, voucherCampaigns, vouchers } from '@/db/schema';
import { listLedger } from '../customers';
import type { DinerCustomer } from '../identity';
import type { Services } from '../kernel/context';
import type { MessageLanguage } from '../messaging';

const historyPage = 20;

/**
 * Returns the customer's history, newest first, without details meant for staff. Names are in `language` if translated.
 */
export async function getHistory(
  services: Services,
  { merchant, customerId }: DinerCustomer,
  { after, language }: { after?: string | undefined; language?: MessageLanguage | undefined },
) {
  const page = await listLedger({ ...services, merchant }, { customerId, after, limit: historyPage });
  const uids = page.items.map(({ uid }) => uid);
  const described = await withMerchant(services.db, merchant.id, (tx) => describeTransactions(tx, uids, language));
  return {
    items: page.items
      .filter(({ isReplaced }) => !isReplaced)
      .map(({ uid, type, status, isDispute, storeName, occurredAt, moved, refunds }) => ({
        uid,
        type,
        isDispute,
        isVoided: status === 'voided',
        storeName,
        occurredAt,
        moved,
        /** The package or voucher. */
        name: described.get(uid)?.name ?? null,
        /** What came back by partial refunds, newest first. `moved` is without it. */
        refunds: refunds.map(({ amount, at }) => ({ amount, at })),
        /** A sale's total, or a voucher's discount. */
        amount: type === 'sale' || type === 'redeemVoucher' ? (described.get(uid)?.amount ?? null) : null,
      })),
    nextCursor: page.nextCursor,
  };
}
export type HistoryItem = Awaited<ReturnType<typeof getHistory>>['items'][number];

/** Returns the package or voucher of each transaction, by uid, with its name and amount. */
export async function describeTransactions({ merchantId, db }: Tx, uids: string[], language?: string) {
  const packageId = sql`(case when ${transactions.type} = 'topUp' then ${transactions.answer}::jsonb ->> 'packageId' end)::uuid`;
  const rows = await db
    .select({
      uid: transactions.uid,
      name: sql<
        string | null
      >`coalesce(${nameIn(storedValuePackages, language)}, ${nameIn(voucherCampaigns, language)})`,
      amount: transactions.amount,
    })
    .from(transactions)
    .leftJoin(
      storedValuePackages,
      and(eq(storedValuePackages.merchantId, transactions.merchantId), eq(storedValuePackages.id, packageId)),
    )
    .leftJoin(
      vouchers,
      and(eq(vouchers.merchantId, transactions.merchantId), eq(vouchers.redeemedBy, transactions.uid)),
    )
    .leftJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    )
    .where(and(eq(transactions.merchantId, merchantId), anyOf(transactions.uid, uids)));
  return new Map(rows.map((row) => [row.uid, row]));
}
