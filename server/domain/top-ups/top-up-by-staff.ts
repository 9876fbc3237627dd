/** Top-ups that staff take in the back office, like those of a till. */

import { and, eq, isNull } from 'drizzle-orm';
import { isUniqueViolation, showAllStores, type Tx, withMerchant } from '@/db/driver';
import { balances, staffTopUps, stores, transactions } from '@/db/schema';
import {
  countForStaff,
  isStaffLimit,
  LimitExceeded,
  reportLimit,
  reportOwnCustomers,
  staffValueLeft,
  valueLeftToday,
  withStaffLimits,
} from '../daily-limits';
import { recordOne } from '../engine';
import { customerNotFound, lockCustomer } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { isElsewhere } from '../kernel/own-stores';
import { say } from '../kernel/say';
import { loadSpendable, lockBalance, noValue } from '../ledger';
import { noSuchStore } from '../merchants';
import { type StoredValuePackage, selectOffersAt, type TopUpOutput } from '../stored-value';
import type { StaffTopUpInput } from './schemas';
import { packageTopUps } from './top-up';

/** What a store offers, and how much of it the customer can still get, including bonus, in minor units. */
export interface CounterOffers {
  offers: StoredValuePackage[];
  /** What the daily limit leaves; null without a limit. */
  leftToday: number | null;
  /** What the limit of the person who asks leaves today; null without a limit. */
  leftForStaff: number | null;
  /** What the balance limit leaves; null without a limit. */
  leftOfBalance: number | null;
}

/**
 * Lists the packages on offer at a store now, before the customer pays for one. Errors: `store_not_found`, also for a
 * closed one; `customer_not_found`.
 */
export function listCounterOffers(
  ctx: StaffContext,
  { storeId, customerId }: { storeId: string; customerId: string },
): Promise<CounterOffers> {
  const { db, merchant, clock } = ctx;
  const now = clock.now();
  return withMerchant(db, merchant.id, async (tx) => {
    const { gainedOn, gainedValue } = balances;
    const [, offers] = await Promise.all([checkStoreOpen(tx, storeId), selectOffersAt(tx, storeId, now)]);
    // The customer's value and limits span all stores.
    showAllStores(tx);
    const [[gained], [held = noValue], leftForStaff] = await Promise.all([
      tx.db
        .select({ gainedOn, gainedValue })
        .from(balances)
        .where(and(eq(balances.merchantId, tx.merchantId), eq(balances.customerId, customerId))),
      loadSpendable(tx, [customerId], now),
      staffValueLeft(tx, ctx),
    ]);
    if (!gained) throw customerNotFound();
    const leftOfBalance =
      merchant.balanceLimit === null ? null : Math.max(0, merchant.balanceLimit - held.principal - held.bonus);
    return { offers, leftToday: valueLeftToday(merchant, gained, now), leftForStaff, leftOfBalance };
  });
}

/** A top-up as recorded. */
export interface StaffTopUp {
  uid: string;
  answer: TopUpOutput;
}

/**
 * Credits a package that the customer paid for at the counter, as a till would. Repeating the same id credits nothing
 * more, and returns the first result. Errors: `customer_not_found`, `store_not_found`, `package_not_found`,
 * `package_unavailable`, `customer_blocked`, `balance_limit_exceeded`, `limit_exceeded`, `invalid_request` for an amount
 * that the package does not allow, `transaction_id_conflict` if the id was used for another top-up.
 */
export async function topUpByStaff(ctx: StaffContext, input: StaffTopUpInput): Promise<StaffTopUp> {
  const now = ctx.clock.now();
  const execute = () => withMerchant(ctx.db, ctx.merchant.id, (tx) => executeOnce(tx, ctx, input, now));
  try {
    return await withStaffLimits(ctx, () =>
      execute().catch((error) => {
        // Another customer's top-up took the same id at the same moment. A retry finds it.
        if (takenKeys.some((key) => isUniqueViolation(error, key))) return execute();
        throw error;
      }),
    );
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    if (isStaffLimit(error)) throw giveBack(error);
    throw await reportRefusal(ctx, input, now, error);
  }
}

/** The customer may have paid already. */
const giveBack = ({ sentence, details }: LimitExceeded) =>
  new DomainError('limit_exceeded', say('counterStaffLimit', { reason: sentence }), details);

/** Records the refusal like a till's, and returns the error that tells staff to give the payment back. */
async function reportRefusal(
  { db, merchant, staff }: StaffContext,
  { customerId }: StaffTopUpInput,
  now: Date,
  refusal: LimitExceeded,
): Promise<DomainError> {
  const actor = { kind: 'staff', id: staff.userId } as const;
  await withMerchant(db, merchant.id, (tx) => reportLimit(tx, { merchant, actor, customerId, now }, refusal));
  const { maximum, used } = refusal.details as { maximum: number; used: number };
  const money = (minor: number) => ({ minor, currency: merchant.currency });
  const values = { limit: money(maximum), left: money(Math.max(0, maximum - used)) };
  return new DomainError('limit_exceeded', say('counterDailyValue', values), refusal.details);
}

const takenKeys = ['staff_top_ups_merchant_id_id_pk', 'transactions_transaction_id'];

async function executeOnce(tx: Tx, ctx: StaffContext, input: StaffTopUpInput, now: Date): Promise<StaffTopUp> {
  const { merchantId, db } = tx;
  const { topUpId, customerId, storeId, packageId, paymentMethod } = input;
  if (isElsewhere(ctx.db, storeId)) throw noSuchStore();
  // The customer's value and limits, and the ids of top-ups, span all stores.
  showAllStores(tx);
  await lockBalance(tx, customerId);
  // Also if the customer was merged or erased since: after an error, staff would take a second top-up.
  const done = await findDone(tx, input);
  if (done) return done;
  await lockCustomer(tx, customerId);
  await checkStoreOpen(tx, storeId);
  const uid = newId(now.getTime());
  const answer = await recordOne(tx, packageTopUps, {
    ctx: { merchant: ctx.merchant, apiKeyId: null },
    type: 'topUp',
    input: { transactionId: `staff-${topUpId}`, packageId, amount: input.amount ?? undefined },
    uid,
    storeId,
    customerId,
    now,
    occurredAt: now,
    requestHash: null,
  });
  const { principal, bonus } = answer;
  await Promise.all([
    db.insert(staffTopUps).values({
      merchantId,
      id: topUpId,
      transactionUid: uid,
      userId: ctx.staff.userId,
      paymentMethod,
    }),
    auditStaff(
      tx,
      ctx,
      'customer.topUp',
      { kind: 'customer', id: customerId },
      { after: { amount: principal, bonus, paymentMethod, storeId } },
    ),
    announceChange(tx, 'transactions'),
    announceChange(tx, 'customers'),
  ]);
  await countForStaff(tx, ctx, 'value', principal + bonus);
  await reportOwnCustomers(tx, ctx);
  return { uid, answer };
}

/** Errors: `transaction_id_conflict` if the id belongs to a different top-up. */
async function findDone({ merchantId, db }: Tx, input: StaffTopUpInput): Promise<StaffTopUp | null> {
  const { uid, type, customerId, storeId, answer } = transactions;
  const { paymentMethod } = staffTopUps;
  const [done] = await db
    .select({ uid, type, customerId, storeId, answer, paymentMethod })
    .from(staffTopUps)
    .innerJoin(
      transactions,
      and(eq(transactions.merchantId, staffTopUps.merchantId), eq(uid, staffTopUps.transactionUid)),
    )
    .where(and(eq(staffTopUps.merchantId, merchantId), eq(staffTopUps.id, input.topUpId)));
  if (!done) return null;
  const first: TopUpOutput = JSON.parse(done.answer ?? 'null');
  const isSame =
    done.type === 'topUp' &&
    done.customerId === input.customerId &&
    done.storeId === input.storeId &&
    done.paymentMethod === input.paymentMethod &&
    first.packageId === input.packageId &&
    (input.amount === null || first.principal === input.amount);
  if (!isSame) throw new DomainError('transaction_id_conflict', say('topUpConflict'));
  return { uid: done.uid, answer: first };
}

/** Errors: `store_not_found` for a store that is closed or not the merchant's. */
export async function checkStoreOpen({ merchantId, db }: Tx, storeId: string): Promise<void> {
  const [open] = await db
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.merchantId, merchantId), eq(stores.id, storeId), isNull(stores.closedAt)));
  if (!open) throw noSuchStore();
}
