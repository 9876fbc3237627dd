/** Refunds that the ledger could not follow, until staff have looked at them. */
import { withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { StaffContext } from '../staff/context';
import { findRequest, lockRequest, requestNotFound } from './request';

/** A payment that was refunded while what it paid for was spent, or in part; or that could not be paid back. */
export interface RefundAlert {
  topUpRequestId: string;
  customerId: string;
  customerName: string;
  /** Null where the payment was never credited. */
  transactionUid: string | null;
  /** What was paid, and what was paid back of it: minor units. */
  amount: number;
  refunded: number;
}

const mostShown = 20;

/** Those that nobody has dealt with, the oldest first: also none whose top-up was voided meanwhile. */
export function listRefundAlerts({ db, merchant }: StaffContext): Promise<RefundAlert[]> {
  return withMerchant(db, merchant.id, async ({ merchantId, sql }) => {
    const rows = await sql<RefundAlert[]>`
      select r.id as "topUpRequestId", r.customer_id as "customerId",
        concat_ws(' ', c.given_name, nullif(c.last_name, '')) as "customerName", r.transaction_uid as "transactionUid",
        r.principal as amount, r.refunded_amount as refunded
      from top_up_requests r
      join customers c on c.merchant_id = r.merchant_id and c.id = r.customer_id
      left join transactions t on t.merchant_id = r.merchant_id and t.uid = r.transaction_uid
      where r.merchant_id = ${merchantId} and r.alerted_at is not null and r.acknowledged_at is null
        and r.state <> 'refunded' and t.status is distinct from 'voided'
      order by r.alerted_at limit ${sql.unsafe(String(mostShown))}`;
    return [...rows];
  });
}

/** Says that staff have dealt with it. Errors: `top_up_request_not_found`. */
export function acknowledgeRefund(ctx: StaffContext, { topUpRequestId }: { topUpRequestId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const seen = await findRequest(tx, topUpRequestId);
    if (!seen) throw requestNotFound();
    const { id } = await lockRequest(tx, seen);
    const changed = await sql`
      update top_up_requests set acknowledged_at = ${ctx.systemClock.now()}, acknowledged_by = ${ctx.staff.userId}
      where merchant_id = ${merchantId} and id = ${id} and alerted_at is not null and acknowledged_at is null`;
    if (changed.count === 0) return;
    await auditStaff(tx, ctx, 'topUp.acknowledgeRefund', { kind: 'topUpRequest', id });
    await announce(tx, 'transactions');
  });
}
