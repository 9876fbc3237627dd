/** Vouchers that customers held in another programme: an import gives them, and can take back those not used. */

import { and, asc, eq, gt, isNull, like, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { voucherCampaigns, vouchers } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { newId } from '../kernel/ids';
import { newVoucherCode } from '../kernel/voucher-code';
import { lockBalances } from '../ledger';
import { expiryOf, writeVouchers } from './issue';

/** A campaign whose vouchers an import can give. */
export interface ImportableCampaign {
  campaignId: string;
  /** When a voucher expires that is issued now, and the latest expiry that one can have. */
  expiresAt: Date | null;
  validUntil: Date | null;
}

/** More would be hard to tell apart. */
const maxCampaigns = 1_000;

export const campaignKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/**
 * Returns the running campaigns without limits, by name. A name that two campaigns have is missing, because a file could mean
 * either.
 */
export async function findImportable(
  { merchantId, db }: Tx,
  merchant: Pick<Merchant, 'timeZone' | 'dayStartsAt'>,
  now: Date,
): Promise<Map<string, ImportableCampaign>> {
  const { id, name, pausedAt, archivedAt, validUntil, validityDays, totalLimit, perCustomerLimit } = voucherCampaigns;
  const rows = await db
    .select({ campaignId: id, name, validUntil, validityDays })
    .from(voucherCampaigns)
    .where(
      and(
        eq(voucherCampaigns.merchantId, merchantId),
        isNull(pausedAt),
        isNull(archivedAt),
        isNull(totalLimit),
        isNull(perCustomerLimit),
        or(isNull(validUntil), gt(validUntil, now)),
      ),
    )
    .orderBy(id)
    .limit(maxCampaigns);
  const names = rows.map((row) => campaignKey(row.name));
  return new Map(
    rows.flatMap((row, at) => {
      const key = names[at] ?? '';
      const isOnly = names.indexOf(key) === names.lastIndexOf(key);
      const { campaignId, validUntil } = row;
      return isOnly ? [[key, { campaignId, validUntil, expiresAt: expiryOf(row, merchant, now) }] as const] : [];
    }),
  );
}

export interface ImportedVouchers {
  customerId: string;
  campaignId: string;
  count: number;
  expiresAt: Date | null;
}

/** The occasion of the vouchers of an import: a customer gets each number once. */
const importOccasion = (importId: string, number: number) => `import ${importId} ${number}`;
const isOfImport = (importId: string) => like(vouchers.occasion, `import ${importId} %`);

/** Gives the vouchers of a batch of an import, without messages. Requires the locks of balances of known customers. */
export async function giveImported(
  tx: Tx,
  { importId, now }: { importId: string; now: Date },
  given: ImportedVouchers[],
): Promise<void> {
  const { merchantId, db } = tx;
  const campaignIds = [...new Set(given.map(({ campaignId }) => campaignId))].toSorted();
  if (campaignIds.length === 0) return;
  await db
    .select({ id: voucherCampaigns.id })
    .from(voucherCampaigns)
    .where(and(eq(voucherCampaigns.merchantId, merchantId), anyOf(voucherCampaigns.id, campaignIds)))
    .orderBy(asc(voucherCampaigns.id))
    .for('no key update');
  for (const campaignId of campaignIds) {
    const ofCampaign = given.filter((one) => one.campaignId === campaignId);
    const rows = ofCampaign.flatMap(({ customerId, count, expiresAt }) =>
      Array.from({ length: count }, (_, at) => ({
        id: newId(now.getTime()),
        campaignId,
        customerId,
        voucherCode: newVoucherCode(),
        occasion: importOccasion(importId, at + 1),
        issuedAt: now,
        expiresAt,
        issuedBy: undefined,
      })),
    );
    await writeVouchers(tx, campaignId, rows);
  }
}

/** Vouchers of a campaign that a customer got from an import. */
export interface HeldVouchers {
  customerId: string;
  campaignId: string;
  importId: string;
}

/** Returns the vouchers that these customers got from imports, but for those that were taken back. */
export async function findImported({ merchantId, db }: Tx, customerIds: string[]): Promise<HeldVouchers[]> {
  const { customerId, campaignId, cancelledAt, occasion } = vouchers;
  return await db
    .selectDistinct({ customerId, campaignId, importId: sql<string>`split_part(${occasion}, ' ', 2)`.as('import_id') })
    .from(vouchers)
    .where(
      and(
        eq(vouchers.merchantId, merchantId),
        anyOf(customerId, customerIds),
        isNull(cancelledAt),
        like(occasion, 'import %'),
      ),
    );
}

/**
 * Cancels the next vouchers of an import that are neither used nor expired. Returns how many there were, and how many of
 * them were cancelled: one whose customer is just being merged waits for the next call.
 */
export async function cancelImported(
  tx: Tx,
  { importId, campaignIds, reason, now, take }: CancelImported,
): Promise<{ found: number; cancelled: number }> {
  const { merchantId, db } = tx;
  const { id, customerId, expiresAt, state } = vouchers;
  const isOpen = and(
    eq(vouchers.merchantId, merchantId),
    anyOf(vouchers.campaignId, campaignIds),
    eq(state, 'unused').inlineParams(),
    isOfImport(importId),
    or(isNull(expiresAt), gt(expiresAt, now)),
  );
  const found = await db.select({ id, customerId }).from(vouchers).where(isOpen).orderBy(id).limit(take);
  if (found.length === 0) return { found: 0, cancelled: 0 };
  const customerIds = [...new Set(found.map((one) => one.customerId))].toSorted();
  await lockBalances(tx, customerIds);
  const ids = found.map((one) => one.id);
  const { count } = await db
    .update(vouchers)
    .set({ cancelledAt: now, cancelReason: reason })
    .where(and(isOpen, anyOf(id, ids), anyOf(customerId, customerIds)));
  return { found: found.length, cancelled: count };
}

interface CancelImported {
  importId: string;
  campaignIds: string[];
  reason: string;
  now: Date;
  take: number;
}
