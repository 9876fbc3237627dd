/** Refunding a part of a redemption of stored value. See docs/adr/0020-partial-refunds.md. */

import { and, eq, isNotNull } from 'drizzle-orm';
import { isUniqueViolation, showAllStores, type Tx, withMerchant } from '@/db/driver';
import { customers, partialRefunds, transactions } from '@/db/schema';
import { findBillsOf, sendVoidedBills } from '../bills';
import { retryWhileTaken, TransactionIdTaken } from '../engine';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { type LotChange, lockBalances, sendBalanceEvents } from '../ledger';
import { readBusiness, requireConfirmedFor } from '../merchants';
import type { ListedTransaction } from './list';
import type { RefundPartInput } from './schemas';
import { returnedUntil, writeVoids } from './void-batch';
import { type LoadedLedger, loadLedgers } from './void-ledger';
import { planVoid } from './void-plan';
import { holdersOf, isOfMerged, voidRowColumns } from './void-rows';

export interface PartialRefund {
  /** The transaction with the rest. */
  restUid: string;
}

/**
 * Refunds a part of a redemption: voids it and records the rest, in one database transaction. The customer's lots are
 * then as after a redemption of the rest. What has expired in the meantime does not come back. The rest takes over the
 * till's `transactionId` and response, so the till notices nothing, and its void covers the rest. Repeating the same id
 * does nothing more. Errors: `transaction_not_found`, `refund_refused` unless it is a completed redemption of stored
 * value, and above a cashier's limit, `invalid_request` for an amount that leaves nothing, `transaction_id_conflict` if
 * the id was used for another refund, `confirmation_required`.
 */
export function refundPart(ctx: StaffContext, input: RefundPartInput): Promise<PartialRefund> {
  const execute = () =>
    retryWhileTaken(() => withMerchant(ctx.db, ctx.merchant.id, (tx) => executeOnce(tx, ctx, input)));
  return execute().catch((error) => {
    // Another refund took the same id at the same moment. A retry finds it.
    if (isUniqueViolation(error, 'partial_refunds_merchant_id_id_pk')) return execute();
    throw error;
  });
}

async function executeOnce(tx: Tx, ctx: StaffContext, input: RefundPartInput): Promise<PartialRefund> {
  const { merchantId, db } = tx;
  const { refundId, uid, amount, reason } = input;
  const now = ctx.clock.now();
  // Balances are locked before transactions, as in every other place.
  const [balances, [row]] = await Promise.all([
    lockBalances(tx, holdersOf(await selectRedemption(tx, uid))),
    selectRedemption(tx, uid).for('update'),
  ]);
  if (!row) throw new DomainError('transaction_not_found', say('transactionNotFound'));
  // A merge was undone since.
  if (row.keptId !== null && !balances.some(({ customerId }) => customerId === row.keptId))
    throw new TransactionIdTaken();
  // The lots that it spent may have been granted in any store.
  showAllStores(tx);
  const done = await findDone(tx, input);
  if (done) return done;
  if (isOfMerged(row)) throw new DomainError('refund_refused', say('mergedNotRefundable'));
  const { spent, refunded } = await checkRefundable(tx, ctx, row, amount);
  await requireConfirmedFor(tx, ctx, { value: amount, points: 0 });
  const restUid = newId(now.getTime());
  const [ledger] = await loadLedgers(tx, [[row]]);
  const again = { transactionUid: restUid, spends: spendsOf(ledger as LoadedLedger, row.uid, spent - amount) };
  const until = returnedUntil({ merchant: ctx.merchant, now });
  const plan = planVoid({ ...(ledger as LoadedLedger), again, returnedUntil: until, now });
  const id = newId(now.getTime());
  const { transactionId, storeId, billId, staffId, receiptNumber, apiKeyId, requestHash, answer, occurredAt } = row;
  const { customerId } = row;
  await Promise.all([
    // Frees the id for the transaction with the rest.
    db
      .update(transactions)
      .set({ transactionId: `refunded-${row.uid}` })
      .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, row.uid))),
    db.insert(transactions).values({
      merchantId,
      uid: restUid,
      type: 'redeemStoredValue',
      status: 'completed',
      amount: spent - amount,
      transactionId,
      storeId,
      customerId,
      billId,
      staffId,
      receiptNumber,
      apiKeyId,
      requestHash,
      answer,
      occurredAt,
      createdAt: now,
    }),
    ...writeVoids(tx, [
      { id, by: { userId: ctx.staff.userId }, reason, now, live: [row], plan, effects: new Map(), settings: null },
    ]),
    db.insert(partialRefunds).values({
      merchantId,
      id: refundId,
      voidedUid: row.uid,
      restUid,
      amount,
      totalAmount: refunded + amount,
    }),
    auditStaff(tx, ctx, 'transactions.refundPart', { kind: 'void', id }, { after: { amount, reason, customerId } }),
    ...(['transactions', 'customers'] as const).map((topic) => announceChange(tx, topic)),
  ]);
  sendBalanceEvents(tx, ctx.merchant, { customerIds: holdersOf([row]), cause: 'refund', now });
  await sendVoidedBills(tx, ctx.merchant, await findBillsOf(tx, [row.uid]), now);
  return { restUid };
}

const selectRedemption = ({ merchantId, db }: Tx, uid: string) =>
  db
    .select({
      ...voidRowColumns,
      storeId: transactions.storeId,
      billId: transactions.billId,
      staffId: transactions.staffId,
      receiptNumber: transactions.receiptNumber,
      apiKeyId: transactions.apiKeyId,
      requestHash: transactions.requestHash,
      answer: transactions.answer,
      occurredAt: transactions.occurredAt,
    })
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, uid)));

type Row = Awaited<ReturnType<typeof selectRedemption>>[number];

/** Errors: `transaction_id_conflict` if the id belongs to a different refund. */
async function findDone({ merchantId, db }: Tx, input: RefundPartInput): Promise<PartialRefund | null> {
  const { voidedUid, restUid, amount } = partialRefunds;
  const [done] = await db
    .select({ voidedUid, restUid, amount })
    .from(partialRefunds)
    .where(and(eq(partialRefunds.merchantId, merchantId), eq(partialRefunds.id, input.refundId)));
  if (!done) return null;
  if (done.voidedUid !== input.uid.toLowerCase() || done.amount !== input.amount) {
    throw new DomainError('transaction_id_conflict', say('refundConflict'));
  }
  return { restUid: done.restUid };
}

/** Returns what the transaction spent, and earlier refunds of the redemption. Errors: those of `refundPart`. */
async function checkRefundable(
  tx: Tx,
  { merchant, staff }: StaffContext,
  row: Row,
  amount: number,
): Promise<{ spent: number; refunded: number }> {
  if (row.status === 'voided') throw new DomainError('refund_refused', say('refundedMeanwhile'));
  const { amount: spent } = row;
  if (row.type !== 'redeemStoredValue' || row.status !== 'completed' || spent === null) {
    throw new DomainError('refund_refused', say('notRefundable'));
  }
  const { currency } = merchant;
  if (amount >= spent) {
    throw invalid('amount', say('refundLeavesNothing', { amount: { minor: spent, currency } }));
  }
  const { merchantId, db } = tx;
  const [before] = await db
    .select({ total: partialRefunds.totalAmount })
    .from(partialRefunds)
    .where(and(eq(partialRefunds.merchantId, merchantId), eq(partialRefunds.restUid, row.uid)));
  const refunded = before?.total ?? 0;
  if (staff.role === 'cashier') {
    const { cashierRefundLimit: limit } = await readBusiness(tx);
    if (refunded + amount > limit) {
      throw new DomainError('refund_refused', say('overCashierLimit', { limit: { minor: limit, currency } }));
    }
  }
  return { spent, refunded };
}

/** Returns the most that the reader may refund of a transaction, in minor units; null if nothing can be refunded. */
export async function findMaxRefund(
  tx: Tx,
  { staff }: StaffContext,
  { type, status, storedValue, customer }: Pick<ListedTransaction, 'type' | 'status' | 'storedValue' | 'customer'>,
  refunded: number,
): Promise<number | null> {
  if (type !== 'redeemStoredValue' || status !== 'completed' || customer === null) return null;
  if (await isMerged(tx, customer.id)) return null;
  // A partial refund leaves something. To refund all of it, void the transaction.
  const part = -storedValue - 1;
  const limit = staff.role === 'cashier' ? (await readBusiness(tx)).cashierRefundLimit - refunded : part;
  const most = Math.min(part, limit);
  return most > 0 ? most : null;
}

async function isMerged({ merchantId, db }: Tx, customerId: string): Promise<boolean> {
  const { id, mergedInto } = customers;
  const merged = await db
    .select({ id })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(id, customerId), isNotNull(mergedInto)));
  return merged.length > 0;
}

/** Returns the first `amount` that a redemption spent, by lot. So what expires last is refunded first. */
function spendsOf({ entries }: LoadedLedger, uid: string, amount: number): LotChange[] {
  const spent = entries.filter(({ transactionUid, kind }) => transactionUid === uid && kind === 'spend');
  let left = amount;
  return spent
    .sort((a, b) => a.id - b.id)
    .flatMap(({ lotId, part, amount: change }) => {
      const taken = Math.min(left, -change);
      left -= taken;
      return taken > 0 ? [{ lotId, part, amount: taken }] : [];
    });
}
