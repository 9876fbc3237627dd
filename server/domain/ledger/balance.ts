import { and, asc, eq, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/client';
import { anyOf, jsonArray, recordset } from '@/db/expressions';
import { type Given, ofEach, prepare } from '@/db/queries';
import { type balancePart, balances, lots } from '@/db/schema';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';

export type BalancePart = (typeof balancePart.enumValues)[number];
/** An amount per part of a balance: minor units, and points. */
export type Value = Record<BalancePart, number>;

/** What locking a balance returns, expired value included. */
export interface Held {
  points: number;
  blockedAt: Date | null;
  /** When the customer was merged into another, who has everything since. */
  mergedAt: Date | null;
  /** The last day on which sales and top-ups gave the customer something, and what they gave then. */
  gainedOn: string | null;
  gainedPoints: number;
  gainedValue: number;
}

const { points, blockedAt, mergedAt, gainedOn, gainedPoints, gainedValue } = balances;
const held = { points, blockedAt, mergedAt, gainedOn, gainedPoints, gainedValue };

const lockOne = prepare((db, given: Given<{ merchantId: string; customerId: string }>) =>
  db
    .select(held)
    .from(balances)
    .where(and(eq(balances.merchantId, given.merchantId), eq(balances.customerId, given.customerId)))
    .for('update'),
);

/**
 * Locks a customer's balance, and with it everything that the customer owns, until the database transaction ends.
 * Returns an unsent query: await it together with what follows, to share the round trip.
 */
export const lockBalance = ({ db, merchantId }: Tx, customerId: string) => lockOne(db, { merchantId, customerId });

/** Errors: `customer_blocked` if the merchant has blocked the customer. */
export function checkNotBlocked({ blockedAt }: Pick<Held, 'blockedAt'>): void {
  if (blockedAt !== null) throw new DomainError('customer_blocked', say('customerBlocked'));
}

/**
 * What to do if another database transaction holds a lock: wait for it, or skip the row, so that the rest does not have
 * to wait.
 */
export type OnLocked = 'wait' | 'skip';

/** Another database transaction holds the lock, and we did not wait. */
export class Locked extends Error {}

/** Options of a row lock: wait for locked rows, or skip them. */
export const lockOptions = (onLocked: OnLocked) => ({ skipLocked: onLocked === 'skip' }) as { skipLocked: true };

const lockSeveral = ofEach(['wait', 'skip'], (onLocked: OnLocked) =>
  prepare((db, given: Given<{ merchantId: string; customerIds: string[] }>) =>
    db
      .select({ customerId: balances.customerId, ...held })
      .from(balances)
      .where(and(eq(balances.merchantId, given.merchantId), anyOf(balances.customerId, given.customerIds)))
      .orderBy(balances.customerId)
      .for('update', lockOptions(onLocked)),
  ),
);

/**
 * Locks several balances in the order of their ids, so that two batches never deadlock. Customers whose lock was
 * skipped are absent.
 */
export const lockBalances = ({ db, merchantId }: Tx, customerIds: string[], onLocked: OnLocked = 'wait') =>
  lockSeveral[onLocked](db, { merchantId, customerIds });

/** True of lots that count at `now`. */
export const isUsable = (now: Given<{ now: Date }>['now'] | SQL<Date>) =>
  and(lots.open, or(isNull(lots.expiresAt), gt(lots.expiresAt, now)));

const spendableOf = prepare((db, given: Given<{ merchantId: string; customerIds: string[]; now: Date }>) =>
  db
    .select({ customerId: lots.customerId, ...sumsOf(lots) })
    .from(lots)
    .where(and(eq(lots.merchantId, given.merchantId), anyOf(lots.customerId, given.customerIds), isUsable(given.now)))
    .groupBy(lots.customerId),
);

/**
 * Returns what customers can spend at `now`: open lots that have not expired. Customers without value have no row. Call
 * it while holding the lock.
 */
export const spendable = ({ db, merchantId }: Tx, customerIds: string[], now: Date) =>
  spendableOf(db, { merchantId, customerIds, now });

export const nothing: Value = { principal: 0, bonus: 0, points: 0 };

/** Parts that are spent together: a bill is paid with both parts of stored value. */
export type Spendable = 'stored value' | BalancePart;

interface Wanted {
  customerId: string;
  amount: number;
}

/** A lot that can be spent from. */
export type OpenLot = Pick<typeof lots.$inferSelect, 'id' | 'part' | 'remaining'>;

const isOf = (what: Spendable) =>
  (what === 'stored value' ? ne(lots.part, 'points') : eq(lots.part, what)).inlineParams();

const lotsOf = ofEach(['stored value', 'principal', 'bonus', 'points'], (what: Spendable) =>
  prepare((db, given: Given<{ merchantId: string; customerIds: string[]; wanted: Wanted[]; now: Date }>) => {
    const wanted = recordset('wanted', { customerId: lots.customerId, amount: lots.remaining }, given.wanted);
    const usable = db.$with('usable').as(
      db
        .select({
          customerId: lots.customerId,
          id: lots.id,
          part: lots.part,
          remaining: lots.remaining,
          wanted: wanted.amount.as('wanted'),
          before: sql<number>`sum(${lots.remaining}) over (
            partition by ${lots.customerId}
            order by ${lots.expiresAt} nulls last, ${lots.createdAt}, ${lots.transactionUid}, ${lots.part} desc
            rows unbounded preceding
          ) - ${lots.remaining}`.as('before'),
        })
        .from(wanted.$rows)
        .innerJoin(
          lots,
          and(
            eq(lots.merchantId, given.merchantId),
            anyOf(lots.customerId, given.customerIds),
            eq(lots.customerId, wanted.customerId),
            isUsable(given.now),
            isOf(what),
          ),
        ),
    );
    const { id, part, remaining, before } = usable;
    const list = jsonArray({ id, part, remaining }, asc(before));
    return db
      .with(usable)
      .select({
        customerId: usable.customerId,
        ...sumsOf(usable),
        lots: sql<OpenLot[] | null>`${list} filter (where ${before} < ${usable.wanted})`,
      })
      .from(usable)
      .groupBy(usable.customerId);
  }),
);

/**
 * Returns what customers can spend of `what` at `now`, and the lots for the first `amount` of it: those that expire
 * first, then the oldest, and a top-up's bonus before its paid part. Call it while holding the lock.
 */
export function spendableLots({ db, merchantId }: Tx, wanted: Wanted[], what: Spendable, now: Date) {
  const customerIds = wanted.map(({ customerId }) => customerId);
  return lotsOf[what](db, { merchantId, customerIds, wanted, now });
}

/** Sums what remains in lots, by part. */
export function sumsOf({ part, remaining }: Record<'part' | 'remaining', PgColumn>) {
  const sum = (one: BalancePart) =>
    sql<number>`coalesce(sum(${remaining}) filter (where ${eq(part, one).inlineParams()}), 0)::bigint`.as(one);
  return { principal: sum('principal'), bonus: sum('bonus'), points: sum('points') };
}
