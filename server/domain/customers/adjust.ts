import { and, eq } from 'drizzle-orm';
import { isUniqueViolation, type Tx, withMerchant } from '@/db/client';
import { adjustments, transactions } from '@/db/schema';
import { auditStaff } from '../core/audit';
import { endOfDate } from '../core/calendar';
import { announce } from '../core/changes';
import type { StaffContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { newId } from '../core/ids';
import { say } from '../core/say';
import { maxPoints } from '../core/schemas';
import { type Account, type LotChange, openAccounts, takeFrom } from '../ledger/account';
import { nothing, spendable } from '../ledger/balance';
import { post } from '../ledger/post';
import { checkBalanceLimit } from '../stored-value/rules';
import { lockCustomer } from './lock';
import type { AdjustInput } from './schemas';

interface Adjustment extends Omit<AdjustInput, 'direction' | 'expiresOn'> {
  /** Signed. */
  amount: number;
  expiresAt: Date | null;
}

/**
 * Adds to a part of a balance, or takes from it, by hand: as a transaction of its own, with its lot and entries. What is
 * taken comes from the lots that expire soonest. Sent again with the same id, nothing happens twice.
 * Errors: `customer_not_found`, `insufficient_balance`, `insufficient_points`, `balance_limit_exceeded`,
 * `transaction_id_conflict` where the id was used for another adjustment.
 */
export async function adjust(ctx: StaffContext, input: AdjustInput): Promise<{ adjustmentId: string }> {
  const now = ctx.clock.now();
  const { direction, expiresOn, ...given } = input;
  const expiresAt = expiresOn === null ? null : endOfDate(expiresOn, ctx.merchant.timeZone);
  if (expiresAt !== null && expiresAt <= now) throw invalid('expiresOn', say('inThePast'));
  const adjustment = { ...given, amount: direction === 'add' ? given.amount : -given.amount, expiresAt };
  const carryOut = () => withMerchant(ctx.db, ctx.merchant.id, (tx) => carryOutOnce(tx, ctx, adjustment, now));
  await carryOut().catch((error) => {
    // The same id for another customer, at the same moment: it is there now.
    if (isUniqueViolation(error, 'adjustments_merchant_id_id_pk')) return carryOut();
    throw error;
  });
  return { adjustmentId: input.adjustmentId };
}

async function carryOutOnce(tx: Tx, ctx: StaffContext, adjustment: Adjustment, now: Date): Promise<void> {
  const { customerId, adjustmentId, part, amount, expiresAt, reason } = adjustment;
  const held = await lockCustomer(tx, customerId);
  if (await isDone(tx, adjustment)) return;
  const changes =
    amount > 0
      ? await add(tx, ctx, adjustment, { heldPoints: held.points, now })
      : await take(tx, ctx, adjustment, now);
  const { merchantId, db } = tx;
  const uid = newId(now.getTime());
  const of = { transactionUid: uid, customerId, createdAt: now };
  const lots = amount > 0 ? changes.map(({ lotId }) => ({ ...of, id: lotId, part, amount, expiresAt })) : [];
  await Promise.all([
    db.insert(transactions).values({
      ...{ merchantId, uid, type: 'adjustment', status: 'completed', customerId, amount },
      ...{ occurredAt: now, createdAt: now },
    }),
    db.insert(adjustments).values({
      ...{ merchantId, id: adjustmentId, transactionUid: uid, userId: ctx.staff.userId },
      ...{ part, amount, expiresAt, reason },
    }),
    post(
      tx,
      changes.map((change) => ({ ...of, ...change, kind: 'adjustment' as const })),
      lots,
    ),
    auditStaff(tx, ctx, 'customer.adjust', { kind: 'customer', id: customerId }, { after: { part, amount, reason } }),
    announce(tx, 'customers'),
  ]);
}

/** Errors: `transaction_id_conflict` where what was done under the id is something else. */
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

/** The change of the lot that the adjustment is to make. */
async function add(
  tx: Tx,
  { merchant }: StaffContext,
  { customerId, part, amount }: Adjustment,
  { heldPoints, now }: { heldPoints: number; now: Date },
): Promise<LotChange[]> {
  if (part === 'points') {
    if (heldPoints + amount > maxPoints)
      throw invalid('amount', say('atMost', { maximum: Math.max(0, maxPoints - heldPoints) }));
  } else {
    const [{ principal, bonus } = nothing] = await spendable(tx, [customerId], now);
    checkBalanceLimit(principal + bonus, amount, merchant);
  }
  return [{ lotId: newId(), part, amount }];
}

/** The changes of the lots that it is taken from. */
async function take(
  tx: Tx,
  { merchant }: StaffContext,
  { customerId, part, amount }: Adjustment,
  now: Date,
): Promise<LotChange[]> {
  const requested = -amount;
  const purpose = { customerId, now, amount: requested };
  const account = (await openAccounts(tx, [purpose], { patience: 'wait', spend: part })).get(customerId) as Account;
  const taken = takeFrom(account, requested, false);
  if (taken !== null) return taken.map((change) => ({ ...change, amount: -change.amount }));
  const balance = account.spendable[part];
  const details = { balance, requested };
  if (part === 'points') throw new DomainError('insufficient_points', say('pointsLeft', { points: balance }), details);
  const left = { minor: balance, currency: merchant.currency };
  throw new DomainError('insufficient_balance', say('balanceLeft', { amount: left }), details);
}
