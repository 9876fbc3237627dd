import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { cardDisputes, transactions } from '@/db/schema';
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
  if (isFull && (await voidTopUp(tx, merchant, request.id, request.transactionUid, now))) {
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

/** Voids a top-up with what disputes have blocked of it. Returns whether it is now voided. */
async function voidTopUp(tx: Tx, merchant: Merchant, topUpRequestId: string, uid: string, now: Date): Promise<boolean> {
  const { merchantId, db } = tx;
  const blocks = await db
    .select({ uid: cardDisputes.blockUid })
    .from(cardDisputes)
    .where(and(eq(cardDisputes.merchantId, merchantId), eq(cardDisputes.topUpRequestId, topUpRequestId)));
  const uids = [uid, ...blocks.flatMap((block) => block.uid ?? [])];
  const rows = await db
    .select(voidRowColumns)
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), anyOf(transactions.uid, uids)))
    .orderBy(transactions.uid)
    .for('update');
  const live = rows.filter(({ status }) => status !== 'voided');
  if (!live.some((row) => row.uid === uid)) return true;
  const { plan, effects, blocking } = await planBatch(tx, { merchant, rows: live, now });
  if (blocking.length > 0) return false;
  const id = newId(now.getTime());
  await Promise.all([
    ...writeVoids(tx, [{ id, by: null, reason: null, now, live, plan, effects, settings: merchant }]),
    auditChange(tx, { kind: 'service', id: null }, 'transactions.void', { kind: 'void', id }, now, {
      after: { uids: live.map((row) => row.uid) },
    }),
    announceChange(tx, 'transactions'),
    announceChange(tx, 'customers'),
  ]);
  return true;
}
