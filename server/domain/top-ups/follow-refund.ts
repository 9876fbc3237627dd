import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { transactions } from '@/db/schema';
import { auditChange } from '../kernel/audit';
import type { Payment } from '../kernel/card-payments';
import { announceChange } from '../kernel/changes';
import type { Merchant } from '../kernel/context';
import { newId } from '../kernel/ids';
import { planBatch, voidRowColumns, writeVoids } from '../transactions';
import { type TopUpRequest, updateRequest } from './request';

/**
 * Handles a payment's refund, under the request's lock. A fully refunded top-up is voided, unless its value was spent.
 * Spent value and partial refunds are reported to staff. Repeating it does nothing.
 */
export async function followRefund(
  tx: Tx,
  { merchant, now }: { merchant: Merchant; now: Date },
  request: TopUpRequest,
  { refunded, amount }: Payment,
): Promise<void> {
  if (refunded <= request.refundedAmount) return;
  const isFull = refunded >= amount;
  if (request.transactionUid === null) {
    const state = isFull ? 'refunded' : request.state;
    await updateRequest(tx, request, { state, refundedAmount: refunded });
    return;
  }
  if (isFull && (await voidTopUp(tx, merchant, request.transactionUid, now))) {
    await updateRequest(tx, request, { state: 'refunded', refundedAmount: refunded });
    return;
  }
  await updateRequest(tx, request, { refundedAmount: refunded, alertedAt: now, acknowledgedAt: null });
}

/**
 * Handles a refund that failed after it was reported, under the request's lock. The payer has neither money nor value
 * if the top-up was voided or never credited: the refund is owed again, staff are told,
 * and the worker repeats it later. Otherwise the value was
 * never taken back, and less of it was refunded.
 */
export async function followFailedRefund(
  tx: Tx,
  { now }: { now: Date },
  request: TopUpRequest,
  { refunded }: Payment,
): Promise<void> {
  const isOwed = request.state === 'refunded' || request.state === 'refunding';
  await updateRequest(tx, request, {
    state: isOwed ? 'refunding' : request.state,
    refundedAmount: refunded,
    refundRefusedAt: isOwed ? now : null,
    alertedAt: isOwed || refunded > 0 ? now : null,
    acknowledgedAt: null,
  });
}

/** Returns whether the top-up is now voided. */
async function voidTopUp(tx: Tx, merchant: Merchant, uid: string, now: Date): Promise<boolean> {
  const { merchantId, db } = tx;
  const rows = await db
    .select(voidRowColumns)
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, uid)))
    .for('update');
  if (rows[0]?.status === 'voided') return true;
  const { plan, effects, blocking } = await planBatch(tx, { merchant, rows, now });
  if (blocking.length > 0) return false;
  const id = newId(now.getTime());
  await Promise.all([
    ...writeVoids(tx, [{ id, by: null, reason: null, now, live: rows, plan, effects, settings: merchant }]),
    auditChange(tx, { kind: 'service', id: null }, 'transactions.void', { kind: 'void', id }, now, {
      after: { uids: [uid] },
    }),
    announceChange(tx, 'transactions'),
    announceChange(tx, 'customers'),
  ]);
  return true;
}
