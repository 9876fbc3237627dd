/** Cash-outs by managers in the back office, like those of a till. */

import { and, eq } from 'drizzle-orm';
import { isUniqueViolation, showAllStores, type Tx, withMerchant } from '@/db/driver';
import { staffTopUps, stores, transactions } from '@/db/schema';
import { countForStaff, withStaffLimits } from '../daily-limits';
import { recordOne } from '../engine';
import { lockCustomer } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { isElsewhere } from '../kernel/own-stores';
import { say } from '../kernel/say';
import { lockBalance } from '../ledger';
import { noSuchStore, requireConfirmedFor } from '../merchants';
import { type CashableLot, type CashOutOutput, cashOuts, selectCashable } from '../stored-value';
import type { CashOutInput } from './schemas';
import { checkStoreOpen } from './top-up-by-staff';

/** What a cash-out can pay, and by which rule. */
export interface CashOutPreview {
  /** In the order in which they are paid out. */
  lots: CashableLot[];
  keepsBonus: boolean;
}

/** Returns what is left of the customer's top-ups. It is empty for an unknown customer. */
export async function previewCashOut(
  { db, merchant, clock }: StaffContext,
  { customerId }: { customerId: string },
): Promise<CashOutPreview> {
  const lots = await withMerchant(db, merchant.id, (tx) => {
    // The customer's value spans all stores.
    showAllStores(tx);
    return selectCashable(tx, { customerId, now: clock.now() });
  });
  return { lots, keepsBonus: merchant.cashOutKeepsBonus };
}

/** A cash-out as recorded. */
export interface StaffCashOut {
  uid: string;
  answer: CashOutOutput;
}

/**
 * Pays out what is left of a customer's top-ups. Repeating the same id pays nothing more, and returns the first result.
 * Errors: `customer_not_found`, `store_not_found`, `customer_blocked`, `points_owed`, `insufficient_balance`,
 * `limit_exceeded`, `confirmation_required`, `transaction_id_conflict` if the id was used for another one.
 */
export async function cashOutByStaff(ctx: StaffContext, input: CashOutInput): Promise<StaffCashOut> {
  const execute = () => withMerchant(ctx.db, ctx.merchant.id, (tx) => recordCashOut(tx, ctx, input, ctx.clock.now()));
  return withStaffLimits(ctx, () =>
    execute().catch((error) => {
      // Another customer's cash-out took the same id at the same moment. A retry finds it.
      if (isUniqueViolation(error, 'transactions_transaction_id')) return execute();
      throw error;
    }),
  );
}

async function recordCashOut(tx: Tx, ctx: StaffContext, input: CashOutInput, now: Date): Promise<StaffCashOut> {
  const { merchantId, db } = tx;
  const { customerId, storeId, amount, paymentMethod, reason } = input;
  if (isElsewhere(ctx.db, storeId)) throw noSuchStore();
  showAllStores(tx);
  await lockBalance(tx, customerId);
  // Also if the customer was merged or erased since: after an error, staff would pay a second time.
  const done = await findCashOut(tx, input);
  if (done) return done;
  await requireConfirmedFor(tx, ctx, { value: amount, points: 0 });
  await lockCustomer(tx, customerId);
  await checkStoreOpen(tx, storeId);
  const uid = newId(now.getTime());
  const answer = await recordOne(tx, cashOuts, {
    ctx: { merchant: ctx.merchant, apiKeyId: null },
    type: 'cashOut',
    input: { transactionId: transactionIdOf(input), amount },
    uid,
    storeId,
    customerId,
    now,
    occurredAt: now,
    requestHash: null,
  });
  const { bonusLapsed } = answer;
  await Promise.all([
    db
      .insert(staffTopUps)
      .values({ merchantId, id: newId(now.getTime()), transactionUid: uid, userId: ctx.staff.userId, paymentMethod }),
    auditStaff(
      tx,
      ctx,
      'customer.cashOut',
      { kind: 'customer', id: customerId },
      { after: { amount, bonusLapsed, paymentMethod, storeId, reason } },
    ),
    announceChange(tx, 'transactions'),
    announceChange(tx, 'customers'),
  ]);
  await countForStaff(tx, ctx, 'value', amount);
  return { uid, answer };
}

const transactionIdOf = ({ cashOutId }: CashOutInput) => `staff-cash-out-${cashOutId.toLowerCase()}`;

/** In any store. Errors: `transaction_id_conflict` if the id belongs to a different cash-out. */
async function findCashOut({ merchantId, db }: Tx, input: CashOutInput): Promise<StaffCashOut | null> {
  const { uid, customerId, storeId, amount, answer } = transactions;
  const [done] = await db
    .select({ uid, customerId, storeId, amount, answer, paymentMethod: staffTopUps.paymentMethod })
    .from(stores)
    .innerJoin(
      transactions,
      and(
        eq(transactions.merchantId, stores.merchantId),
        eq(storeId, stores.id),
        eq(transactions.transactionId, transactionIdOf(input)),
      ),
    )
    .innerJoin(
      staffTopUps,
      and(eq(staffTopUps.merchantId, transactions.merchantId), eq(staffTopUps.transactionUid, uid)),
    )
    .where(eq(stores.merchantId, merchantId));
  if (!done) return null;
  const isSame =
    done.customerId === input.customerId &&
    done.storeId === input.storeId &&
    done.paymentMethod === input.paymentMethod &&
    done.amount === input.amount;
  if (!isSame) throw new DomainError('transaction_id_conflict', say('cashOutConflict'));
  return { uid: done.uid, answer: JSON.parse(done.answer ?? 'null') };
}
