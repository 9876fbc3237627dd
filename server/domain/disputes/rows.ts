/** Reads disputes with what they are about. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { billPayments, bills, cardDisputes, customers, ledgerEntries, topUpRequests, transactions } from '@/db/schema';
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

/** Who has the value of a top-up: its customer (`customers`), or the one into whom that was merged. */
export const holder = alias(customers, 'holder');
const maxShown = 100;

/**
 * Selects disputes by a condition on the columns of `cardDisputes`, `topUpRequests`, `customers`, `holder` and `bills`, the
 * newest first.
 */
export async function selectDisputes(tx: Tx, isWanted: SQL | undefined): Promise<DisputeView[]> {
  const { merchantId, db } = tx;
  const d = cardDisputes;
  const block = db
    .select({
      total: sql<number>`coalesce(-sum(${ledgerEntries.amount}), 0)::bigint`.as('blocked_total'),
      principal:
        sql<number>`coalesce(-sum(${ledgerEntries.amount}) filter (where ${ledgerEntries.part} = 'principal'), 0)::bigint`.as(
          'blocked_principal',
        ),
    })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.merchantId, d.merchantId), eq(ledgerEntries.transactionUid, d.blockUid)))
    .as('block');
  const rows = await db
    .select({
      disputeId: d.id,
      status: d.status,
      reason: d.reason,
      amount: d.amount,
      respondBy: d.respondBy,
      openedAt: d.openedAt,
      closedAt: d.closedAt,
      customerId: holder.id,
      customerName: sql<string | null>`trim(concat_ws(' ', ${holder.givenName}, ${holder.lastName}))`,
      transactionUid: transactions.uid,
      transactionId: transactions.transactionId,
      transactionStatus: transactions.status,
      blockUid: d.blockUid,
      billUid: bills.id,
      billId: bills.billId,
      table: bills.table,
      paymentId: d.billPaymentId,
      acknowledgedAt: d.acknowledgedAt,
      blocked: block.total,
      blockedPrincipal: block.principal,
    })
    .from(d)
    .leftJoin(topUpRequests, and(eq(topUpRequests.merchantId, d.merchantId), eq(topUpRequests.id, d.topUpRequestId)))
    .leftJoin(customers, and(eq(customers.merchantId, d.merchantId), eq(customers.id, topUpRequests.customerId)))
    .leftJoin(
      holder,
      and(eq(holder.merchantId, d.merchantId), sql`${holder.id} = coalesce(${customers.mergedInto}, ${customers.id})`),
    )
    .leftJoin(
      transactions,
      and(eq(transactions.merchantId, d.merchantId), eq(transactions.uid, topUpRequests.transactionUid)),
    )
    .leftJoin(billPayments, and(eq(billPayments.merchantId, d.merchantId), eq(billPayments.id, d.billPaymentId)))
    .leftJoin(bills, and(eq(bills.merchantId, d.merchantId), eq(bills.id, billPayments.billUid)))
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
