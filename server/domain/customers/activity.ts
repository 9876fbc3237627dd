/**
 * A customer's activity: the transactions, with the balance after each, and the sales. For the lists, see `history.ts`.
 */

import { and, eq, lte, ne, or, type SQL } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import {
  adjustments,
  ledgerEntries,
  sales,
  stores,
  transactions,
  users,
  voucherCampaigns,
  vouchers,
} from '@/db/schema';
import type { RecordedType, TransactionStatus } from '../engine';
import type { StaffContext } from '../kernel/context';
import { isElsewhere } from '../kernel/own-stores';
import type { Page } from '../kernel/page';
import { formatVoucherCode } from '../kernel/voucher-code';
import { findReplaced, listPartialRefunds, type RefundedPart, sumsOf, type Value } from '../ledger';
import { type HistoryContext, ofStore, pageOf, recordedType, type Seeking } from './history';
import type { HistoryInput } from './schemas';

export interface LedgerTransaction {
  uid: string;
  /**
   * True in a store that the reader does not work for. It then can't be opened, and shows neither the store nor the
   * purpose.
   */
  isElsewhere: boolean;
  transactionId: string | null;
  type: RecordedType;
  status: TransactionStatus;
  storeName: string | null;
  billId: string | null;
  /** The total of a sale, in minor units. */
  total: number | null;
  occurredAt: Date;
  voidedAt: Date | null;
  /** The change of the balance, not counting voids. */
  moved: Value;
  /** The balance after it, without transactions that were voided later. */
  balance: Value;
  /** The reason and author of an adjustment. */
  adjustment: { reason: string; by: string; isMerge: boolean } | null;
  /** True if it took what was left of a top-up whose card payment is disputed. That can be nothing. */
  isDispute: boolean;
  /** The redeemed voucher and its discount; null once the redemption is voided. */
  voucher: { voucherCode: string; campaignName: string; discount: number } | null;
  /** What came back of a redemption by partial refunds, newest first. `moved` is without it. */
  refunds: RefundedPart[];
  /** True if a partial refund has replaced it by the rest, which is listed, too. */
  isReplaced: boolean;
}

/** Details of a transaction in a store that the reader does not work for. */
const hiddenDetails = { isElsewhere: true, transactionId: null, storeName: null, billId: null, voucher: null };

const entry = { part: ledgerEntries.part, remaining: ledgerEntries.amount };

/** Lists the transactions that changed the balance or the vouchers. Refused ones are left out. */
export function listLedger(ctx: HistoryContext, input: HistoryInput): Promise<Page<LedgerTransaction>> {
  const select = async ({ merchantId, db }: Tx, { where, orderBy, limit }: Seeking) => {
    const moved = db
      .select(sumsOf(entry))
      .from(ledgerEntries)
      .where(
        and(
          eq(ledgerEntries.merchantId, transactions.merchantId),
          eq(ledgerEntries.transactionUid, transactions.uid),
          or(ne(ledgerEntries.kind, 'void').inlineParams(), eq(transactions.status, 'completed').inlineParams()),
        ),
      )
      .as('moved');
    const { uid, transactionId, status, billId, amount, occurredAt, voidedAt } = transactions;
    const rows = await db
      .select({
        uid,
        transactionId,
        type: recordedType,
        status,
        storeId: transactions.storeId,
        storeName: stores.name,
        billId,
        amount,
        occurredAt,
        voidedAt,
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
    const uids = rows.map((row) => row.uid);
    const [balances, refunds, replaced] = await Promise.all([
      balancesAfter({ merchantId, db }, input.customerId, uids),
      listPartialRefunds({ merchantId, db }, uids),
      findReplaced({ merchantId, db }, uids),
    ]);
    return rows.map(({ amount, reason, by, mergedWith, voucherCode, campaignName, storeId, ...row }) => ({
      ...row,
      isElsewhere: false,
      total: row.type === 'sale' ? amount : null,
      balance: balances.get(row.uid) as Value,
      refunds: isElsewhere(ctx.db, storeId)
        ? (refunds.get(row.uid) ?? []).map((refund) => ({ ...refund, by: null, reason: null }))
        : (refunds.get(row.uid) ?? []),
      isReplaced: replaced.has(row.uid),
      // Adjustments by people have a reason. Those of disputes only take.
      isDispute: row.type === 'adjustment' && reason === null && amount !== null && amount <= 0,
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

/** Returns the balance after each of these transactions, which must be consecutive. */
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

/** Selects the customer's transactions. Refused ones are left out. */
const isTheirs = (merchantId: string, { customerId }: HistoryInput, ...more: (SQL | undefined)[]) =>
  and(
    eq(transactions.merchantId, merchantId),
    eq(transactions.customerId, customerId),
    ne(transactions.status, 'refused').inlineParams(),
    ...more,
  );

export interface CustomerSale {
  uid: string;
  /** True for a store that the reader does not work for. */
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
        uid,
        status,
        storeId,
        storeName: stores.name,
        billId,
        receiptNumber,
        total,
        discount,
        pointsEarned,
        closedAt,
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
