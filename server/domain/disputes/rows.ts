/** Reads disputes with what they are about. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { billPayments, bills, cardDisputes, customers, ledgerEntries, topUpRequests, transactions } from '@/db/schema';
import { keptId } from '../identity';
import type { Merchant } from '../kernel/context';
import type { Dispute } from './schemas';

/** A dispute with what it is about. Amounts are in minor units. */
export interface DisputeView extends Omit<Dispute, 'currency'> {
  customerName: string | null;
  /** The transaction of the top-up, once credited. */
  transactionUid: string | null;
  /** The adjustment that took what was left. */
  blockUid: string | null;
  billUid: string | null;
  table: string | null;
  isAcknowledged: boolean;
}

const d = cardDisputes;
const maxShown = 100;

/** Selects disputes by a condition on the columns of `cardDisputes`, the newest first. */
export async function selectDisputes(tx: Tx, isWanted: SQL | undefined): Promise<DisputeView[]> {
  const { merchantId, db } = tx;
  const [topUp, bill, block] = [topUpOf(tx), billOf(tx), blockOf(tx)];
  const rows = await db
    .select({
      disputeId: d.id,
      status: d.status,
      reason: d.reason,
      amount: d.amount,
      respondBy: d.respondBy,
      openedAt: d.openedAt,
      closedAt: d.closedAt,
      customerId: topUp.holderId,
      customerName: topUp.holderName,
      transactionUid: topUp.uid,
      transactionId: topUp.transactionId,
      transactionStatus: topUp.status,
      blockUid: d.blockUid,
      billUid: bill.billUid,
      billId: bill.billId,
      table: bill.table,
      paymentId: d.billPaymentId,
      acknowledgedAt: d.acknowledgedAt,
      blocked: block.total,
      blockedPrincipal: block.principal,
    })
    .from(d)
    .leftJoinLateral(topUp, sql`true`)
    .leftJoinLateral(bill, sql`true`)
    .crossJoinLateral(block)
    .where(and(eq(d.merchantId, merchantId), isWanted))
    .orderBy(desc(d.openedAt), desc(d.id))
    .limit(maxShown);
  return rows.map(({ transactionStatus, blockedPrincipal, acknowledgedAt, ...row }) => ({
    ...row,
    respondBy: row.respondBy?.toISOString() ?? null,
    openedAt: row.openedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    isAcknowledged: acknowledgedAt !== null,
    // Nothing was spent of a top-up that was refunded, or never credited.
    spent: transactionStatus === 'completed' && row.status !== 'won' ? Math.max(0, row.amount - blockedPrincipal) : 0,
  }));
}

/** The top-up of a dispute, and who has its value: its customer, or the one into whom that was merged. */
function topUpOf({ db }: Tx) {
  const r = topUpRequests;
  const holder = alias(customers, 'holder');
  return db
    .select({
      holderId: sql<string>`${holder.id}`.as('holder_id'),
      holderName: sql<string>`trim(concat_ws(' ', ${holder.givenName}, ${holder.lastName}))`.as('holder_name'),
      uid: transactions.uid,
      transactionId: transactions.transactionId,
      status: sql<string | null>`${transactions.status}::text`.as('transaction_status'),
    })
    .from(r)
    .innerJoin(customers, and(eq(customers.merchantId, r.merchantId), eq(customers.id, r.customerId)))
    .innerJoin(holder, and(eq(holder.merchantId, r.merchantId), eq(holder.id, keptId)))
    .leftJoin(transactions, and(eq(transactions.merchantId, r.merchantId), eq(transactions.uid, r.transactionUid)))
    .where(and(eq(r.merchantId, d.merchantId), eq(r.id, d.topUpRequestId)))
    .limit(1)
    .as('top_up');
}

const billOf = ({ db }: Tx) =>
  db
    .select({ billUid: sql<string>`${bills.id}`.as('disputed_bill'), billId: bills.billId, table: bills.table })
    .from(billPayments)
    .innerJoin(bills, and(eq(bills.merchantId, billPayments.merchantId), eq(bills.id, billPayments.billUid)))
    .where(and(eq(billPayments.merchantId, d.merchantId), eq(billPayments.id, d.billPaymentId)))
    .limit(1)
    .as('bill');

/** What the adjustment of a dispute holds now. */
function blockOf({ db }: Tx) {
  const { amount, part, merchantId, transactionUid } = ledgerEntries;
  return db
    .select({
      total: sql<number>`coalesce(-sum(${amount}), 0)::bigint`.as('blocked_total'),
      principal: sql<number>`coalesce(-sum(${amount}) filter (where ${part} = 'principal'), 0)::bigint`.as(
        'blocked_principal',
      ),
    })
    .from(ledgerEntries)
    .where(and(eq(merchantId, d.merchantId), eq(transactionUid, d.blockUid)))
    .as('block');
}

/** Describes a dispute for merchants' systems. */
export function describeDispute(view: DisputeView, { currency }: Pick<Merchant, 'currency'>): Dispute {
  const { disputeId, status, reason, amount, respondBy, openedAt, closedAt } = view;
  const { customerId, transactionId, billId, paymentId, blocked, spent } = view;
  return {
    disputeId,
    status,
    reason,
    amount,
    currency,
    respondBy,
    openedAt,
    closedAt,
    customerId,
    transactionId,
    billId,
    paymentId,
    blocked,
    spent,
  };
}
