/**
 * A customer's history: each list is newest first, and empty for an unknown customer. A customer is the merchant's, so
 * staff of named stores see what happened in other stores, but only its kind, amounts and time.
 */
import { and, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { showAllStores, type Tx, withMerchant } from '@/db/client';
import { anyOf } from '@/db/expressions';
import { only } from '@/db/queries';
import {
  adjustments,
  ledgerEntries,
  lots,
  sales,
  stores,
  transactions,
  users,
  voucherCampaigns,
  vouchers,
} from '@/db/schema';
import type { HistoryInput, VoucherHistoryInput } from '../customers';
import type { RecordedType, TransactionStatus } from '../engine';
import type { StaffContext } from '../kernel/context';
import { isElsewhere } from '../kernel/own-stores';
import { type ListOrder, type Page, seek, seekSql, toPage } from '../kernel/page';
import type { Voucher } from '../kernel/voucher';
import { formatVoucherCode } from '../kernel/voucher-code';
import { type BalancePart, sumsOf, type Value } from '../ledger';
import { toVoucher, voucherColumns } from '../vouchers';

type HistoryContext = Pick<StaffContext, 'db' | 'clock' | 'merchant'>;
type Seeking = ReturnType<typeof seekSql>;

/** Reads a page of `select`, keyed by `column`, an id that sorts by time. */
async function pageOf<Item>(
  ctx: HistoryContext,
  input: HistoryInput,
  column: PgColumn,
  select: (tx: Tx, page: Seeking) => Promise<Item[]>,
  keyOf: (item: Item) => string,
): Promise<Page<Item>> {
  const order: ListOrder = { columns: [column], descending: true };
  const page = seek(input, order);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    showAllStores(tx);
    return toPage(await select(tx, seekSql(page, order)), page, (item) => [keyOf(item)]);
  });
}

/** The type of a transaction that changed something: a tombstone has neither type nor customer. */
const recordedType = sql<RecordedType>`${transactions.type}`;
const ofStore = and(eq(stores.merchantId, transactions.merchantId), eq(stores.id, transactions.storeId));

export interface Lot {
  lotId: string;
  part: BalancePart;
  granted: number;
  remaining: number;
  expiresAt: Date | null;
  isExpired: boolean;
  createdAt: Date;
  /** The transaction that granted it; null in another store. */
  transactionUid: string | null;
  type: RecordedType;
  storeName: string | null;
  /** True in a store that the reader does not work for. */
  isElsewhere: boolean;
}

/** Lists the grants with a remainder. */
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

export interface LedgerTransaction {
  uid: string;
  /** True in a store that the reader does not work for: then it can't be opened, and says neither where nor what for. */
  isElsewhere: boolean;
  transactionId: string | null;
  type: RecordedType;
  status: TransactionStatus;
  storeName: string | null;
  billId: string | null;
  /** For a sale, in minor units. */
  total: number | null;
  occurredAt: Date;
  voidedAt: Date | null;
  /** The change of the balance, not counting voids. */
  moved: Value;
  /** The balance after it, as if what was voided since had never been. */
  balance: Value;
  /** The reason and author of an adjustment. */
  adjustment: { reason: string; by: string; isMerge: boolean } | null;
  /** The redeemed voucher and its discount; null also once the redemption is voided. */
  voucher: { voucherCode: string; campaignName: string; discount: number } | null;
}

/** Of a transaction in a store that the reader does not work for. */
const hiddenDetails = { isElsewhere: true, transactionId: null, storeName: null, billId: null, voucher: null };

const entry = { part: ledgerEntries.part, remaining: ledgerEntries.amount };

/** Lists the transactions that changed the balance or the vouchers, without refused ones. */
export function listLedger(ctx: HistoryContext, input: HistoryInput): Promise<Page<LedgerTransaction>> {
  const select = async ({ merchantId, db }: Tx, { where, orderBy, limit }: Seeking) => {
    const moved = db
      .select(sumsOf(entry))
      .from(ledgerEntries)
      .where(
        and(
          eq(ledgerEntries.merchantId, transactions.merchantId),
          eq(ledgerEntries.transactionUid, transactions.uid),
          ne(ledgerEntries.kind, 'void').inlineParams(),
        ),
      )
      .as('moved');
    const { uid, transactionId, status, billId, amount, occurredAt, voidedAt } = transactions;
    const rows = await db
      .select({
        ...{
          uid,
          transactionId,
          type: recordedType,
          status,
          storeId: transactions.storeId,
          storeName: stores.name,
          billId,
        },
        ...{ amount, occurredAt, voidedAt },
        moved: { principal: moved.principal, bonus: moved.bonus, points: moved.points },
        voucherCode: vouchers.voucherCode,
        campaignName: voucherCampaigns.name,
        reason: adjustments.reason,
        mergedWith: adjustments.mergedWith,
        by: users.name,
      })
      .from(transactions)
      .leftJoin(stores, ofStore)
      .leftJoin(
        adjustments,
        and(eq(adjustments.merchantId, transactions.merchantId), eq(adjustments.transactionUid, uid)),
      )
      .leftJoin(users, eq(users.id, adjustments.userId))
      .leftJoin(vouchers, and(eq(vouchers.merchantId, transactions.merchantId), eq(vouchers.redeemedBy, uid)))
      .leftJoin(
        voucherCampaigns,
        and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
      )
      .crossJoinLateral(moved)
      .where(isTheirs(merchantId, input, where))
      .orderBy(...orderBy)
      .limit(limit);
    const balances = await balancesAfter(
      { merchantId, db },
      input.customerId,
      rows.map((row) => row.uid),
    );
    return rows.map(({ amount, reason, by, mergedWith, voucherCode, campaignName, storeId, ...row }) => ({
      ...row,
      isElsewhere: false,
      total: row.type === 'sale' ? amount : null,
      balance: balances.get(row.uid) as Value,
      adjustment: reason === null || by === null ? null : { reason, by, isMerge: mergedWith !== null },
      voucher:
        voucherCode === null || campaignName === null
          ? null
          : { voucherCode: formatVoucherCode(voucherCode), campaignName, discount: amount ?? 0 },
      ...(isElsewhere(ctx.db, storeId) ? hiddenDetails : {}),
    }));
  };
  return pageOf(ctx, input, transactions.uid, select, ({ uid }) => uid);
}

/** Returns a customer's balance after each of these transactions, which follow each other. */
async function balancesAfter(
  { merchantId, db }: Pick<Tx, 'merchantId' | 'db'>,
  customerId: string,
  uids: string[],
): Promise<Map<string, Value>> {
  const newestFirst = [...uids].sort().reverse();
  const [newest] = newestFirst;
  if (newest === undefined) return new Map();
  const { merchantId: ofMerchant, customerId: ofCustomer, transactionUid } = ledgerEntries;
  const [upTo, changes] = await Promise.all([
    db
      .select(sumsOf(entry))
      .from(ledgerEntries)
      .where(and(eq(ofMerchant, merchantId), eq(ofCustomer, customerId), lte(transactionUid, newest))),
    db
      .select({ transactionUid, ...sumsOf(entry) })
      .from(ledgerEntries)
      .where(and(eq(ofMerchant, merchantId), anyOf(transactionUid, uids)))
      .groupBy(transactionUid),
  ]);
  const balances = new Map<string, Value>();
  let { principal, bonus, points } = only(upTo);
  for (const uid of newestFirst) {
    balances.set(uid, { principal, bonus, points });
    const change = changes.find((one) => one.transactionUid === uid);
    if (change)
      [principal, bonus, points] = [principal - change.principal, bonus - change.bonus, points - change.points];
  }
  return balances;
}

/** Selects the customer's transactions, without refused ones. */
const isTheirs = (merchantId: string, { customerId }: HistoryInput, ...more: (SQL | undefined)[]) =>
  and(
    eq(transactions.merchantId, merchantId),
    eq(transactions.customerId, customerId),
    ne(transactions.status, 'refused').inlineParams(),
    ...more,
  );

export interface CustomerSale {
  uid: string;
  /** True in a store that the reader does not work for, as above. */
  isElsewhere: boolean;
  status: TransactionStatus;
  storeName: string | null;
  billId: string | null;
  receiptNumber: string | null;
  total: number;
  discount: number;
  pointsEarned: number;
  closedAt: Date;
}

export function listSales(ctx: StaffContext, input: HistoryInput): Promise<Page<CustomerSale>> {
  const { uid, status, billId, receiptNumber, storeId } = transactions;
  const { total, discount, pointsEarned, closedAt } = sales;
  const select = async ({ merchantId, db }: Tx, { where, orderBy, limit }: Seeking) => {
    const rows = await db
      .select({
        ...{ uid, status, storeId, storeName: stores.name, billId, receiptNumber },
        ...{ total, discount, pointsEarned, closedAt },
      })
      .from(transactions)
      .innerJoin(sales, and(eq(sales.merchantId, transactions.merchantId), eq(sales.transactionUid, uid)))
      .innerJoin(stores, ofStore)
      .where(isTheirs(merchantId, input, eq(transactions.type, 'sale').inlineParams(), where))
      .orderBy(...orderBy)
      .limit(limit);
    return rows.map(({ storeId: of, ...sale }) => ({
      ...sale,
      isElsewhere: false,
      ...(isElsewhere(ctx.db, of) ? { isElsewhere: true, storeName: null, billId: null, receiptNumber: null } : {}),
    }));
  };
  return pageOf(ctx, input, uid, select, (sale) => sale.uid);
}
