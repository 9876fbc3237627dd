/**
 * A customer's history. Each list is newest first, and empty for an unknown customer. Customers belong to the merchant
 * as a whole, so staff of named stores also see what happened in other stores, but only its kind, amounts and time.
 */

import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { showAllStores, type Tx, withMerchant } from '@/db/driver';
import { lots, stores, transactions, voucherCampaigns, vouchers } from '@/db/schema';
import type { RecordedType } from '../engine';
import type { StaffContext } from '../kernel/context';
import { isElsewhere } from '../kernel/own-stores';
import { type ListOrder, type Page, seekPage, seekSql, toPage } from '../kernel/page';
import type { Voucher } from '../kernel/voucher';
import type { BalancePart } from '../ledger';
import { toVoucher, voucherColumns } from '../vouchers';
import type { HistoryInput, VoucherHistoryInput } from './schemas';

export type HistoryContext = Pick<StaffContext, 'db' | 'clock' | 'merchant'>;
export type Seeking = ReturnType<typeof seekSql>;

/** Reads a page of `select` by `column`, an id that sorts by time. */
export async function pageOf<Item>(
  ctx: HistoryContext,
  input: HistoryInput,
  column: PgColumn,
  select: (tx: Tx, page: Seeking) => Promise<Item[]>,
  keyOf: (item: Item) => string,
): Promise<Page<Item>> {
  const order: ListOrder = { columns: [column], descending: true };
  const page = seekPage(input, order);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    showAllStores(tx);
    return toPage(await select(tx, seekSql(page, order)), page, (item) => [keyOf(item)]);
  });
}

/** The type of a transaction that changed something. Only a tombstone has none, and it has no customer. */
export const recordedType = sql<RecordedType>`${transactions.type}`;
export const ofStore = and(eq(stores.merchantId, transactions.merchantId), eq(stores.id, transactions.storeId));

export interface Lot {
  lotId: string;
  part: BalancePart;
  granted: number;
  remaining: number;
  expiresAt: Date | null;
  isExpired: boolean;
  createdAt: Date;
  /** The transaction that granted it; null if that was in a store that the reader does not work for. */
  transactionUid: string | null;
  type: RecordedType;
  storeName: string | null;
  /** True for a store that the reader does not work for. */
  isElsewhere: boolean;
}

/** Lists the grants that have a remainder. */
export function listLots(ctx: StaffContext, input: HistoryInput): Promise<Page<Lot>> {
  const now = ctx.clock.now();
  const select = async ({ merchantId, db }: Tx, { where, orderBy, limit }: Seeking) => {
    const rows = await db
      .select({
        lotId: lots.id,
        part: lots.part,
        granted: lots.granted,
        remaining: lots.remaining,
        expiresAt: lots.expiresAt,
        createdAt: lots.createdAt,
        transactionUid: lots.transactionUid,
        type: recordedType,
        storeId: transactions.storeId,
        storeName: stores.name,
      })
      .from(lots)
      .innerJoin(
        transactions,
        and(eq(transactions.merchantId, lots.merchantId), eq(transactions.uid, lots.transactionUid)),
      )
      .leftJoin(stores, ofStore)
      .where(and(eq(lots.merchantId, merchantId), eq(lots.customerId, input.customerId), lots.open, where))
      .orderBy(...orderBy)
      .limit(limit);
    return rows.map(({ storeId, ...lot }) => ({
      ...lot,
      isExpired: lot.expiresAt !== null && lot.expiresAt <= now,
      ...(isElsewhere(ctx.db, storeId)
        ? { isElsewhere: true, transactionUid: null, storeName: null }
        : { isElsewhere: false }),
    }));
  };
  return pageOf(ctx, input, lots.id, select, ({ lotId }) => lotId);
}

export interface HeldVoucher extends Voucher {
  voucherId: string;
  campaignId: string;
  state: 'usable' | 'expired' | 'redeemed' | 'cancelled';
  redeemedAt: Date | null;
  cancelledAt: Date | null;
}

const isPast = or(isNotNull(vouchers.redeemedAt), isNotNull(vouchers.cancelledAt));
const isUnused = and(isNull(vouchers.redeemedAt), isNull(vouchers.cancelledAt));

/** Lists the unused vouchers, or the redeemed and cancelled ones. */
export function listVouchers(ctx: StaffContext, input: VoucherHistoryInput): Promise<Page<HeldVoucher>> {
  const now = ctx.clock.now();
  const stateOf = ({
    redeemedAt,
    cancelledAt,
    expiresAt,
  }: Pick<typeof vouchers.$inferSelect, 'redeemedAt' | 'cancelledAt' | 'expiresAt'>): HeldVoucher['state'] => {
    if (redeemedAt !== null) return 'redeemed';
    if (cancelledAt !== null) return 'cancelled';
    return expiresAt !== null && expiresAt <= now ? 'expired' : 'usable';
  };
  const select = async ({ merchantId, db }: Tx, { where, orderBy, limit }: Seeking) => {
    const { id: voucherId, campaignId, customerId, redeemedAt, cancelledAt } = vouchers;
    const rows = await db
      .select({ voucherId, campaignId, redeemedAt, cancelledAt, ...voucherColumns })
      .from(vouchers)
      .innerJoin(
        voucherCampaigns,
        and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, campaignId)),
      )
      .where(
        and(
          eq(vouchers.merchantId, merchantId),
          eq(customerId, input.customerId),
          input.isPast ? isPast : isUnused,
          where,
        ),
      )
      .orderBy(...orderBy)
      .limit(limit);
    return rows.map((row) => ({
      ...toVoucher(row),
      voucherId: row.voucherId,
      campaignId: row.campaignId,
      state: stateOf(row),
      redeemedAt: row.redeemedAt,
      cancelledAt: row.cancelledAt,
    }));
  };
  return pageOf(ctx, input, vouchers.id, select, ({ voucherId }) => voucherId);
}
