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
 * Spent value and partial refunds are reported to staff. Repeating it does nothing. Returns the request's new state.
 */
export async function followRefund(
  tx: Tx,
  { merchant, now }: { merchant: Merchant; now: Date },
  request: TopUpRequest,
  { refunded, amount }: Payment,
): Promise<TopUpRequest['state']> {
  if (refunded <= request.refundedAmount) return request.state;
  const isFull = refunded >= amount;
  if (request.transactionUid === null) {
    const state = isFull ? 'refunded' : request.state;
    await updateRequest(tx, request, { state, refundedAmount: refunded });
    return state;
  }
  if (isFull && (await voidTopUp(tx, merchant, request.transactionUid, now))) {
    await updateRequest(tx, request, { state: 'refunded', refundedAmount: refunded });
    return 'refunded';
  }
  await updateRequest(tx, request, { refundedAmount: refunded, alertedAt: now, acknowledgedAt: null });
  return request.state;
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
