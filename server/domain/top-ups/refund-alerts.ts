/** Refunds that the ledger could not follow. Staff resolve them. */

import { and, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { customers, topUpRequests, transactions } from '@/db/schema';
import { fullName } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { findRequest, isRequest, lockRequest, requestNotFound } from './request';

/** A payment that was refunded in part or after its value was spent, or that could not be refunded. */
export interface RefundAlert {
  topUpRequestId: string;
  customerId: string;
  customerName: string;
  /** Null if the payment was never credited. */
  transactionUid: string | null;
  /** True if the payer has neither value nor money: the payment service refuses the refund so far. */
  isOwed: boolean;
  /** The amounts paid and refunded, in minor units. */
  amount: number;
  refunded: number;
}

const maxShown = 20;

/** Lists unresolved refunds, oldest first. Leaves out those whose top-up was voided meanwhile. */
export function listRefundAlerts({ db, merchant }: StaffContext): Promise<RefundAlert[]> {
  const r = topUpRequests;
  return withMerchant(db, merchant.id, ({ merchantId, db: queries }) =>
    queries
      .select({
        topUpRequestId: r.id,
        customerId: r.customerId,
        customerName: fullName,
        transactionUid: r.transactionUid,
        isOwed: sql<boolean>`${r.state} = 'refunding'`,
        amount: r.principal,
        refunded: r.refundedAmount,
      })
      .from(r)
      .innerJoin(customers, and(eq(customers.merchantId, r.merchantId), eq(customers.id, r.customerId)))
      .leftJoin(transactions, and(eq(transactions.merchantId, r.merchantId), eq(transactions.uid, r.transactionUid)))
      .where(
        and(
          eq(r.merchantId, merchantId),
          isUnresolved,
          ne(r.state, 'refunded').inlineParams(),
          // What is still to be refunded is shown though it was voided: the payer has neither value nor money.
          or(eq(r.state, 'refunding').inlineParams(), sql`${transactions.status} is distinct from 'voided'`),
        ),
      )
      .orderBy(r.alertedAt)
      .limit(maxShown),
  );
}

/** True if staff have to resolve it. */
const isUnresolved = and(isNotNull(topUpRequests.alertedAt), isNull(topUpRequests.acknowledgedAt));

/** Marks a refund as resolved. Errors: `top_up_request_not_found`. */
export function acknowledgeRefund(ctx: StaffContext, { topUpRequestId }: { topUpRequestId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const seen = await findRequest(tx, topUpRequestId);
    if (!seen) throw requestNotFound();
    const { id } = await lockRequest(tx, seen);
    const { count } = await tx.db
      .update(topUpRequests)
      .set({ acknowledgedAt: ctx.systemClock.now(), acknowledgedBy: ctx.staff.userId })
      .where(and(isRequest(tx, id), isUnresolved));
    if (count === 0) return;
    await auditStaff(tx, ctx, 'topUp.acknowledgeRefund', { kind: 'topUpRequest', id });
    await announceChange(tx, 'transactions');
  });
}
