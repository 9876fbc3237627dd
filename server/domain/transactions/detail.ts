/** One transaction with everything related to it. */

import { and, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import type { PaymentMethod } from '@/db/kinds/lists';
import { recordset } from '@/db/query/expressions';
import {
  adjustments,
  apiKeys,
  cardDisputes,
  customers,
  ledgerEntries,
  lots,
  partialRefunds,
  saleLines,
  salePayments,
  sales,
  staffTopUps,
  storedValuePackages,
  topUpRequests,
  transactions,
  users,
  voids,
  voucherCampaigns,
  vouchers,
} from '@/db/schema';
import { findBillUidAt, redemptionType } from '../bills';
import { isRefusal, type RefusalAnswer } from '../engine';
import { displayNameOf } from '../identity';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { formatVoucherCode } from '../kernel/voucher-code';
import { type BalancePart, type EntryKind, listPartialRefunds, type RefundedPart } from '../ledger';
import type { RedeemPointsOutput } from '../points';
import type { SaleOutput } from '../sales';
import type { CashOutOutput, RedeemOutput, TopUpOutput } from '../stored-value';
import type { RedeemVoucherOutput } from '../vouchers';
import { type ListedTransaction, selectTransactions } from './list';
import { findMaxRefund } from './refund-part';

/** The recorded response to the POS. */
type Answer = TopUpOutput | CashOutOutput | RedeemOutput | RedeemVoucherOutput | RedeemPointsOutput | SaleOutput;

export interface TransactionEntry {
  id: number;
  part: BalancePart;
  kind: EntryKind;
  amount: number;
  createdAt: Date;
  /**
   * When its lot expires, and the transaction that granted the lot; null in a store that the reader does not work for.
   */
  expiresAt: Date | null;
  grantedBy: string | null;
}

export interface SaleDetail {
  subtotal: number;
  discount: number;
  serviceCharge: number;
  tax: number;
  rounding: number;
  total: number;
  /** The tax in the prices: part of the total. */
  taxIncluded: { rate: number | null; amount: number }[];
  closedAt: Date;
  lines: { plu: string; name: string; quantity: number; unitPrice: number; amount: number }[];
  payments: { method: string; amount: number }[];
}

export interface TransactionDetail extends ListedTransaction {
  apiKeyName: string | null;
  /** True if its customer redeemed on a bill with a phone. */
  isByDiner: boolean;
  /** An adjustment's reason and author. */
  adjustment: { reason: string; by: string; mergedWith: { customerId: string; name: string } | null } | null;
  /** Who took a top-up's payment, or made a cash-out, if it was staff. */
  taken: { by: string; paymentMethod: PaymentMethod } | null;
  /** Set once a part was refunded: the transaction with the rest. */
  refundedTo: { uid: string; amount: number } | null;
  /** Set if this is the rest of a partial refund: the refunded transaction, and all refunds of the redemption. */
  restOf: { uid: string; amount: number; totalAmount: number } | null;
  /** What came back by partial refunds, newest first. */
  refunds: RefundedPart[];
  /** The most that the reader may refund as a part; null if nothing can be refunded. */
  maxRefund: number | null;
  /** False for what can't be voided: it is voided, an expiry, value moved by a merge, or blocked by a dispute. */
  isVoidable: boolean;
  refusal: RefusalAnswer | null;
  answer: Answer | null;
  /** The stored-value package of a top-up. */
  packageName: string | null;
  entries: TransactionEntry[];
  sale: SaleDetail | null;
  /** Vouchers that it redeemed or issued, in their current state. */
  vouchers: { voucherCode: string; campaignId: string; campaignName: string; role: 'redeemed' | 'issued' }[];
  void: {
    voidId: string;
    reason: string | null;
    /** Who redeemed or voided: a member of staff, a POS's key or a diner; or the refund or dispute of its payment. */
    by: { kind: 'staff' | 'apiKey'; name: string } | { kind: 'diner' | 'refund' | 'dispute' };
    at: Date;
    /** Other transactions that the same void covers. */
    others: ListedTransaction[];
  } | null;
  /** Points that a voided sale or adjustment still owes. */
  pointsShortfall: number;
  /** The open or past bill at a table that it names, if a till has sent it. */
  billUid: string | null;
  /** The other transactions of its bill. */
  sameBill: ListedTransaction[];
}

const mostRelated = 100;

/** Errors: `transaction_not_found`. */
export function getTransaction(ctx: StaffContext, { uid }: { uid: string }): Promise<TransactionDetail> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const [[listed], [row], entries, sale, vouchers] = await Promise.all([
      selectTransactions(tx, recordset('page', { uid: transactions.uid }, [{ uid }])),
      selectDetail(tx, uid),
      selectEntries(tx, uid),
      selectSale(tx, uid),
      selectUsedVouchers(tx, uid),
    ]);
    if (!listed || !row) throw new DomainError('transaction_not_found', say('transactionNotFound'));
    const isRedemption = redemptionType.safeParse(listed.type).success;
    const told = row.answer === null ? null : JSON.parse(row.answer);
    const answer: Answer | null = told === null || isRefusal(told) ? null : told;
    const packages = storedValuePackages;
    const [refunds, maxRefund, [topUpPackage], billUid, sameBill, voidedToo] = await Promise.all([
      listPartialRefunds(tx, [uid]),
      findMaxRefund(tx, ctx, listed, row.restOf?.totalAmount ?? 0),
      answer?.type === 'topUp'
        ? db
            .select({ name: packages.name })
            .from(packages)
            .where(and(eq(packages.merchantId, merchantId), eq(packages.id, answer.packageId)))
        : [],
      row.storeId === null || row.billId === null
        ? null
        : findBillUidAt(
            tx,
            { storeId: row.storeId, billId: row.billId },
            { at: listed.occurredAt, of: listed.type === 'sale' ? 'sale' : 'redemption' },
          ),
      row.storeId === null || row.billId === null
        ? []
        : selectOthers(tx, uid, and(eq(transactions.storeId, row.storeId), eq(transactions.billId, row.billId))),
      row.void === null ? [] : selectOthers(tx, uid, eq(transactions.voidId, row.void.id)),
    ]);
    return {
      ...listed,
      apiKeyName: row.apiKeyName,
      isByDiner: isRedemption && row.apiKeyId === null,
      adjustment: row.adjustment === null ? null : { ...row.adjustment, mergedWith: row.mergedWith },
      taken: row.taken,
      refundedTo: row.refundedTo,
      restOf: row.restOf,
      refunds: refunds.get(uid) ?? [],
      maxRefund,
      isVoidable: listed.status !== 'voided' && listed.type !== 'expiry' && row.mergedWith === null && !row.isOfDispute,
      refusal: isRefusal(told) ? told : null,
      answer,
      packageName: topUpPackage?.name ?? null,
      entries,
      sale,
      vouchers,
      void:
        row.void === null || row.voidedAt === null
          ? null
          : {
              voidId: row.void.id,
              reason: row.void.reason,
              by: voidedBy(row.voidingUser, row.voidingKey, listed.type),
              at: row.voidedAt,
              others: voidedToo,
            },
      pointsShortfall: row.pointsShortfall,
      billUid,
      sameBill,
    };
  });
}

/** Only redemptions are taken back by diners, top-ups have payments, and disputes make adjustments. */
function voidedBy(user: string | null, key: string | null, type: ListedTransaction['type']) {
  if (user !== null) return { kind: 'staff' as const, name: user };
  if (key !== null) return { kind: 'apiKey' as const, name: key };
  if (type === 'adjustment') return { kind: 'dispute' as const };
  return { kind: type === 'topUp' ? ('refund' as const) : ('diner' as const) };
}

function selectDetail({ merchantId, db }: Tx, uid: string) {
  const adjuster = alias(users, 'adjuster');
  const mergedWith = alias(customers, 'merged_with');
  const taker = alias(users, 'taker');
  const asVoided = alias(partialRefunds, 'as_voided');
  const asRest = alias(partialRefunds, 'as_rest');
  const { topUpRequestId, blockUid, status } = cardDisputes;
  const disputes = (isAbout: SQL | undefined) =>
    db
      .select({ id: cardDisputes.id })
      .from(cardDisputes)
      .where(and(eq(cardDisputes.merchantId, merchantId), isAbout));
  const blocks = disputes(eq(blockUid, uid));
  const requested = db
    .select({ id: topUpRequests.id })
    .from(topUpRequests)
    .where(and(eq(topUpRequests.merchantId, merchantId), eq(topUpRequests.transactionUid, uid)));
  const blocked = disputes(
    and(sql`${topUpRequestId} = any(array(${requested}))`, ne(status, 'won').inlineParams(), isNotNull(blockUid)),
  );
  const voidingUser = alias(users, 'voiding_user');
  const voidingKey = alias(apiKeys, 'voiding_key');
  return db
    .select({
      storeId: transactions.storeId,
      billId: transactions.billId,
      answer: transactions.answer,
      pointsShortfall: transactions.pointsShortfall,
      voidedAt: transactions.voidedAt,
      apiKeyId: transactions.apiKeyId,
      apiKeyName: apiKeys.name,
      adjustment: { reason: adjustments.reason, by: sql<string>`${adjuster.name}` },
      mergedWith: {
        customerId: mergedWith.id,
        name: displayNameOf(mergedWith),
      },
      taken: { by: sql<string>`${taker.name}`, paymentMethod: staffTopUps.paymentMethod },
      refundedTo: { uid: asVoided.restUid, amount: asVoided.amount },
      restOf: { uid: asRest.voidedUid, amount: asRest.amount, totalAmount: asRest.totalAmount },
      isOfDispute: sql<boolean>`exists (${blocks}) or exists (${blocked})`,
      void: { id: voids.id, reason: voids.reason },
      voidingUser: voidingUser.name,
      voidingKey: voidingKey.name,
    })
    .from(transactions)
    .leftJoin(apiKeys, and(eq(apiKeys.merchantId, transactions.merchantId), eq(apiKeys.id, transactions.apiKeyId)))
    .leftJoin(
      adjustments,
      and(eq(adjustments.merchantId, transactions.merchantId), eq(adjustments.transactionUid, transactions.uid)),
    )
    .leftJoin(adjuster, eq(adjuster.id, adjustments.userId))
    .leftJoin(
      mergedWith,
      and(eq(mergedWith.merchantId, transactions.merchantId), eq(mergedWith.id, adjustments.mergedWith)),
    )
    .leftJoin(
      staffTopUps,
      and(eq(staffTopUps.merchantId, transactions.merchantId), eq(staffTopUps.transactionUid, transactions.uid)),
    )
    .leftJoin(taker, eq(taker.id, staffTopUps.userId))
    .leftJoin(asVoided, and(eq(asVoided.merchantId, transactions.merchantId), eq(asVoided.voidedUid, transactions.uid)))
    .leftJoin(asRest, and(eq(asRest.merchantId, transactions.merchantId), eq(asRest.restUid, transactions.uid)))
    .leftJoin(voids, and(eq(voids.merchantId, transactions.merchantId), eq(voids.id, transactions.voidId)))
    .leftJoin(voidingUser, eq(voidingUser.id, voids.userId))
    .leftJoin(voidingKey, and(eq(voidingKey.merchantId, voids.merchantId), eq(voidingKey.id, voids.apiKeyId)))
    .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, uid)));
}

/** Others of which the same is true. */
function selectOthers(tx: Tx, uid: string, isAlike: SQL | undefined) {
  const others = tx.db
    .select({ uid: transactions.uid })
    .from(transactions)
    .where(and(eq(transactions.merchantId, tx.merchantId), isAlike, ne(transactions.uid, uid)))
    .limit(mostRelated)
    .as('page');
  return selectTransactions(tx, { $rows: others, uid: others.uid });
}

const granter = alias(transactions, 'granter');

const selectEntries = ({ merchantId, db }: Tx, uid: string) =>
  db
    .select({
      id: ledgerEntries.id,
      part: ledgerEntries.part,
      kind: ledgerEntries.kind,
      amount: ledgerEntries.amount,
      createdAt: ledgerEntries.createdAt,
      expiresAt: lots.expiresAt,
      grantedBy: granter.uid,
    })
    .from(ledgerEntries)
    .innerJoin(lots, and(eq(lots.merchantId, ledgerEntries.merchantId), eq(lots.id, ledgerEntries.lotId)))
    .leftJoin(granter, and(eq(granter.merchantId, lots.merchantId), eq(granter.uid, lots.transactionUid)))
    .where(and(eq(ledgerEntries.merchantId, merchantId), eq(ledgerEntries.transactionUid, uid)))
    .orderBy(ledgerEntries.id);

async function selectSale({ merchantId, db }: Tx, uid: string): Promise<SaleDetail | null> {
  const { subtotal, discount, serviceCharge, tax, rounding, total, taxIncluded, closedAt } = sales;
  const { plu, name, quantity, unitPrice, amount } = saleLines;
  const [[sale], lines, payments] = await Promise.all([
    db
      .select({ subtotal, discount, serviceCharge, tax, rounding, total, taxIncluded, closedAt })
      .from(sales)
      .where(and(eq(sales.merchantId, merchantId), eq(sales.transactionUid, uid))),
    db
      .select({ plu, name, quantity, unitPrice, amount })
      .from(saleLines)
      .where(and(eq(saleLines.merchantId, merchantId), eq(saleLines.transactionUid, uid)))
      .orderBy(saleLines.position),
    db
      .select({ method: salePayments.method, amount: salePayments.amount })
      .from(salePayments)
      .where(and(eq(salePayments.merchantId, merchantId), eq(salePayments.transactionUid, uid)))
      .orderBy(salePayments.position),
  ]);
  return sale ? { ...sale, lines, payments } : null;
}

async function selectUsedVouchers({ merchantId, db }: Tx, uid: string): Promise<TransactionDetail['vouchers']> {
  const idsWhere = (isIts: SQL) =>
    db
      .select({ id: vouchers.id })
      .from(vouchers)
      .where(and(eq(vouchers.merchantId, merchantId), isIts));
  const ids = idsWhere(eq(vouchers.redeemedBy, uid)).union(idsWhere(eq(vouchers.issuedBy, uid)));
  const rows = await db
    .select({
      voucherCode: vouchers.voucherCode,
      campaignId: vouchers.campaignId,
      campaignName: voucherCampaigns.name,
      redeemedBy: vouchers.redeemedBy,
    })
    .from(vouchers)
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    )
    .where(and(eq(vouchers.merchantId, merchantId), inArray(vouchers.id, ids)))
    .orderBy(vouchers.id);
  return rows.map(({ voucherCode, redeemedBy, ...voucher }) => ({
    ...voucher,
    voucherCode: formatVoucherCode(voucherCode),
    role: redeemedBy === uid ? 'redeemed' : 'issued',
  }));
}
