import { and, eq } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/driver';
import { adjustments, transactions } from '@/db/schema';
import { countForStaff, withStaffLimits } from '../daily-limits';
import { lockCustomer } from '../identity';
import { auditStaff } from '../kernel/audit';
import { endOfDate } from '../kernel/calendar';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { maxPoints } from '../kernel/schemas';
import {
  type Account,
  type LotChange,
  loadSpendable,
  lockBalance,
  noValue,
  openAccounts,
  postEntries,
  sendBalanceEvents,
  takeFrom,
} from '../ledger';
import { requireConfirmedFor } from '../merchants';
import { queueNotices } from '../messaging';
import { checkBalanceLimit } from '../stored-value';
import type { AdjustInput } from './schemas';

interface Adjustment extends Omit<AdjustInput, 'direction' | 'expiresOn'> {
  /** Positive to add, negative to deduct. */
  amount: number;
  expiresAt: Date | null;
}

/**
 * Adds to a part of a balance, or deducts from it, on behalf of staff. It is a transaction of its own, with lots and
 * entries. Deductions come from the lots that expire first. Repeating the same id does nothing. Errors:
 * `customer_not_found`, `insufficient_balance`, `insufficient_points`, `balance_limit_exceeded`,
 * `transaction_id_conflict` if the id was used for another adjustment, `limit_exceeded` beyond what the person may give in
 * a day, `confirmation_required`.
 */
export async function adjustBalance(ctx: StaffContext, input: AdjustInput): Promise<{ adjustmentId: string }> {
  const now = ctx.clock.now();
  const { direction, expiresOn, ...given } = input;
  const expiresAt = expiresOn === null ? null : endOfDate(expiresOn, ctx.merchant);
  if (expiresAt !== null && expiresAt <= now) throw invalid('expiresOn', say('inThePast'));
  const adjustment = { ...given, amount: direction === 'add' ? given.amount : -given.amount, expiresAt };
  const execute = () => withMerchant(ctx.db, ctx.merchant.id, (tx) => executeOnce(tx, ctx, adjustment, now));
  await withStaffLimits(ctx, () =>
    execute().catch((error) => {
      // Another customer's adjustment took the same id at the same moment. A retry finds it.
      if (isUniqueViolation(error, 'adjustments_merchant_id_id_pk')) return execute();
      throw error;
    }),
  );
  return { adjustmentId: input.adjustmentId };
}

async function executeOnce(tx: Tx, ctx: StaffContext, adjustment: Adjustment, now: Date): Promise<void> {
  const { customerId, adjustmentId, part, amount, expiresAt, reason } = adjustment;
  await lockBalance(tx, customerId);
  // Also if the customer was merged or erased since: after an error, staff would make a second adjustment.
  if (await isDone(tx, adjustment)) return;
  await requireConfirmedFor(tx, ctx, part === 'points' ? { value: 0, points: amount } : { value: amount, points: 0 });
  const held = await lockCustomer(tx, customerId);
  const changes =
    amount > 0
      ? await addValue(tx, ctx, adjustment, { heldPoints: held.points, now })
      : await deductValue(tx, ctx, adjustment, now);
  const { merchantId, db } = tx;
  const uid = newId(now.getTime());
  const entryKeys = { transactionUid: uid, customerId, createdAt: now };
  const lots = amount > 0 ? changes.map(({ lotId }) => ({ ...entryKeys, id: lotId, part, amount, expiresAt })) : [];
  await Promise.all([
    db.insert(transactions).values({
      merchantId,
      uid,
      type: 'adjustment',
      status: 'completed',
      customerId,
      amount,
      occurredAt: now,
      createdAt: now,
    }),
    db.insert(adjustments).values({
      merchantId,
      id: adjustmentId,
      transactionUid: uid,
      userId: ctx.staff.userId,
      part,
      amount,
      expiresAt,
      reason,
    }),
    postEntries(
      tx,
      changes.map((change) => ({ ...entryKeys, ...change, kind: 'adjustment' as const })),
      lots,
    ),
    auditStaff(tx, ctx, 'customer.adjust', { kind: 'customer', id: customerId }, { after: { part, amount, reason } }),
    announceChange(tx, 'customers'),
  ]);
  sendBalanceEvents(tx, ctx.merchant, { customerIds: [customerId], cause: 'adjustment', now });
  tx.send(queueNotices(tx, ctx.merchant, 'balance-adjusted', [{ customerId, subject: uid }], now));
  await countForStaff(tx, ctx, part === 'points' ? 'points' : 'value', amount);
}

/** Errors: `transaction_id_conflict` if the id belongs to a different adjustment. */
async function isDone({ merchantId, db }: Tx, adjustment: Adjustment): Promise<boolean> {
  const { adjustmentId, customerId, part, amount, expiresAt, reason } = adjustment;
  const [done] = await db
    .select({
      customerId: transactions.customerId,
      part: adjustments.part,
      amount: adjustments.amount,
      expiresAt: adjustments.expiresAt,
      reason: adjustments.reason,
    })
    .from(adjustments)
    .innerJoin(
      transactions,
      and(eq(transactions.merchantId, adjustments.merchantId), eq(transactions.uid, adjustments.transactionUid)),
    )
    .where(and(eq(adjustments.merchantId, merchantId), eq(adjustments.id, adjustmentId)));
  if (!done) return false;
  const isSame =
    done.customerId === customerId &&
    done.part === part &&
    done.amount === amount &&
    done.expiresAt?.getTime() === expiresAt?.getTime() &&
    done.reason === reason;
  if (!isSame) throw new DomainError('transaction_id_conflict', say('adjustmentConflict'));
  return true;
}

/** Returns the change of the new lot. */
async function addValue(
  tx: Tx,
  { merchant }: StaffContext,
  { customerId, part, amount }: Adjustment,
  { heldPoints, now }: { heldPoints: number; now: Date },
): Promise<LotChange[]> {
  if (part === 'points') {
    if (heldPoints + amount > maxPoints)
      throw invalid('amount', say('atMost', { maximum: Math.max(0, maxPoints - heldPoints) }));
  } else {
    const [{ principal, bonus } = noValue] = await loadSpendable(tx, [customerId], now);
    checkBalanceLimit(principal + bonus, amount, merchant);
  }
  return [{ lotId: newId(), part, amount }];
}

/** Returns the changes of the lots from which it deducts. */
async function deductValue(
  tx: Tx,
  { merchant }: StaffContext,
  { customerId, part, amount }: Adjustment,
  now: Date,
): Promise<LotChange[]> {
  const requested = -amount;
  const purpose = { customerId, now, amount: requested };
  const account = (await openAccounts(tx, [purpose], { onLocked: 'wait', spend: part })).get(customerId) as Account;
  const taken = takeFrom(account, requested, false);
  if (taken !== null) return taken.map((change) => ({ ...change, amount: -change.amount }));
  const balance = account.spendable[part];
  const details = { balance, requested };
  if (part === 'points') throw new DomainError('insufficient_points', say('pointsLeft', { points: balance }), details);
  const left = { minor: balance, currency: merchant.currency };
  throw new DomainError('insufficient_balance', say('balanceLeft', { amount: left }), details);
}
