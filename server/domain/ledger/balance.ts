import { and, asc, eq, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf, jsonArray, recordset, setTenantOfEach } from '@/db/query/expressions';
import { type Given, type Owned, ofEach, prepare, prepareForRows, type Queries } from '@/db/query/queries';
import { type balancePart, balances, lots } from '@/db/schema';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { debtListOf } from './debts';

export type BalancePart = (typeof balancePart.enumValues)[number];
/** An amount per part of a balance: minor units, and points. */
export type Value = Record<BalancePart, number>;

/** What locking a balance returns, including expired value. */
export interface Held {
  points: number;
  blockedAt: Date | null;
  /** When the customer was merged into another, who has held everything since. */
  mergedAt: Date | null;
  /** When a merge into this customer was last undone. */
  unmergedAt: Date | null;
  /** The last day on which sales and top-ups gave the customer something, and how much. */
  gainedOn: string | null;
  gainedPoints: number;
  gainedValue: number;
}

const { points, blockedAt, mergedAt, unmergedAt, gainedOn, gainedPoints, gainedValue } = balances;
const held = { points, blockedAt, mergedAt, unmergedAt, gainedOn, gainedPoints, gainedValue };

const lockOne = prepare((db, given: Given<{ merchantId: string; customerId: string }>) =>
  db
    .select(held)
    .from(balances)
    .where(and(eq(balances.merchantId, given.merchantId), eq(balances.customerId, given.customerId)))
    .for('update'),
);

/**
 * Locks a customer's balance, and with it everything that the customer owns, until the database transaction ends.
 * Returns an unsent query: await it together with later ones, to share the round trip.
 */
export const lockBalance = ({ db, merchantId }: Tx, customerId: string) => lockOne(db, { merchantId, customerId });

/** Errors: `customer_blocked` if the merchant has blocked the customer. */
export function checkNotBlocked({ blockedAt }: Pick<Held, 'blockedAt'>): void {
  if (blockedAt !== null) throw new DomainError('customer_blocked', say('customerBlocked'));
}

/** What to do if another database transaction holds a lock: wait for it, or skip the row. */
export type OnLocked = 'wait' | 'skip';

/** Another database transaction holds the lock, and the row was skipped. */
export class Locked extends Error {}

/** Options of a row lock: wait for locked rows, or skip them. */
export const lockOptions = (onLocked: OnLocked) => ({ skipLocked: onLocked === 'skip' }) as { skipLocked: true };

const lockInOrder = prepare((db, given: Given<{ merchantId: string; customerIds: string[] }>) =>
  db
    .select({ customerId: balances.customerId, ...held })
    .from(balances)
    .where(and(eq(balances.merchantId, given.merchantId), anyOf(balances.customerId, given.customerIds)))
    .orderBy(balances.customerId)
    .for('update'),
);

/** The customer of a balance, and their merchant. */
interface Holder {
  customerId: string;
}
const holder = { merchantId: balances.merchantId, customerId: balances.customerId };

/** Drops the columns that serve a shared transaction. */
const plain = <Row extends { merchantId: string; isOwn: boolean }>({ merchantId, isOwn, ...row }: Row) => row;

const lockFree = prepareForRows((db, given: Given<{ rows: Owned<Holder>[] }>) => {
  const { $rows, ...asked } = recordset('asked', holder, given.rows);
  const tenant = setTenantOfEach(asked.merchantId);
  const free = db
    .select(held)
    .from(balances)
    .where(and(eq(balances.merchantId, tenant.id), eq(balances.customerId, asked.customerId)))
    .for('update', { skipLocked: true })
    .as('free');
  return db
    .select({
      customerId: asked.customerId,
      points: free.points,
      blockedAt: free.blockedAt,
      mergedAt: free.mergedAt,
      unmergedAt: free.unmergedAt,
      gainedOn: free.gainedOn,
      gainedPoints: free.gainedPoints,
      gainedValue: free.gainedValue,
      merchantId: asked.merchantId,
      isOwn: tenant.isOwn,
    })
    .from($rows)
    .crossJoin(tenant.$rows)
    .leftJoinLateral(free, sql`true`);
});

/**
 * Locks several balances in the order of their ids, so that two batches never deadlock. Customers whose lock was
 * skipped are absent.
 */
export async function lockBalances(
  tx: Tx,
  customerIds: string[],
  onLocked: OnLocked = 'wait',
): Promise<(Held & { customerId: string })[]> {
  if (onLocked === 'wait') return lockInOrder(tx.db, { merchantId: tx.merchantId, customerIds });
  const rows = await lockFree(
    tx,
    customerIds.map((customerId) => ({ customerId })),
  );
  return rows.filter((row): row is typeof row & Held => row.points !== null).map(plain);
}

/** True for lots that can be spent at `now`. */
export const isUsable = (now: Given<{ now: Date }>['now'] | SQL<Date>) =>
  and(lots.open, or(isNull(lots.expiresAt), gt(lots.expiresAt, now)));

/** What customers can spend at a time. */
function spendableOf(db: Queries, given: Given<{ rows: Owned<Holder & { now: Date }>[] }>) {
  const { $rows, ...asked } = recordset('asked', { ...holder, now: sql<Date>`timestamptz` }, given.rows);
  const tenant = setTenantOfEach(asked.merchantId);
  const value = db
    .select(sumsOf(lots))
    .from(lots)
    .where(and(eq(lots.merchantId, tenant.id), eq(lots.customerId, asked.customerId), isUsable(asked.now)))
    .as('value');
  const fields = {
    customerId: asked.customerId,
    principal: value.principal,
    bonus: value.bonus,
    points: value.points,
    merchantId: asked.merchantId,
    isOwn: tenant.isOwn,
  };
  return { $rows, asked, tenant, value, fields };
}

const spendable = prepareForRows((db, given: Given<{ rows: Owned<Holder & { now: Date }>[] }>) => {
  const { $rows, tenant, value, fields } = spendableOf(db, given);
  return db.select(fields).from($rows).crossJoin(tenant.$rows).innerJoinLateral(value, sql`true`);
});

const spendableAndDebts = prepareForRows((db, given: Given<{ rows: Owned<Holder & { now: Date }>[] }>) => {
  const { $rows, asked, tenant, value, fields } = spendableOf(db, given);
  const owed = debtListOf(db, tenant.id, asked.customerId);
  return db
    .select({ debts: owed.debts, ...fields })
    .from($rows)
    .crossJoin(tenant.$rows)
    .innerJoinLateral(value, sql`true`)
    .innerJoinLateral(owed, sql`true`);
});

/**
 * Returns what customers can spend at `now`: the remainders of open lots that have not expired. Call it while holding
 * the lock.
 */
export async function loadSpendable(tx: Tx, customerIds: string[], now: Date) {
  const asked = customerIds.map((customerId) => ({ customerId, now }));
  return (await spendable(tx, asked)).map(plain);
}

/** As `loadSpendable`, with what the customers owe, which is null for those who owe nothing. */
export async function loadSpendableAndDebts(tx: Tx, customerIds: string[], now: Date) {
  const asked = customerIds.map((customerId) => ({ customerId, now }));
  return (await spendableAndDebts(tx, asked)).map(plain);
}

export const noValue: Value = { principal: 0, bonus: 0, points: 0 };

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
  prepareForRows((db, given: Given<{ rows: Owned<Wanted & { now: Date }>[] }>) => {
    const shape = { ...holder, amount: lots.remaining, now: sql<Date>`timestamptz` };
    const { $rows, ...asked } = recordset('asked', shape, given.rows);
    const tenant = setTenantOfEach(asked.merchantId);
    const usable = db
      .select({
        id: lots.id,
        part: lots.part,
        remaining: lots.remaining,
        before: sql<number>`sum(${lots.remaining}) over (
          order by ${lots.expiresAt} nulls last, ${lots.createdAt}, ${lots.transactionUid}, ${lots.part} desc
          rows unbounded preceding
        ) - ${lots.remaining}`.as('before'),
      })
      .from(lots)
      .where(
        and(eq(lots.merchantId, tenant.id), eq(lots.customerId, asked.customerId), isUsable(asked.now), isOf(what)),
      )
      .as('usable');
    const { id, part, remaining, before } = usable;
    const list = jsonArray({ id, part, remaining }, asc(before));
    const value = db
      .select({
        ...sumsOf(usable),
        lots: sql<OpenLot[] | null>`${list} filter (where ${before} < ${asked.amount})`.as('next_lots'),
      })
      .from(usable)
      .as('value');
    return db
      .select({
        customerId: asked.customerId,
        principal: value.principal,
        bonus: value.bonus,
        points: value.points,
        lots: value.lots,
        merchantId: asked.merchantId,
        isOwn: tenant.isOwn,
      })
      .from($rows)
      .crossJoin(tenant.$rows)
      .innerJoinLateral(value, sql`true`);
  }),
);

/**
 * Returns what customers can spend of `what` at `now`, and the lots for the first `amount` of it. Lots that expire
 * first come first, then the oldest, then a top-up's bonus before its paid part. Call it while holding the lock.
 */
export async function spendableLots(tx: Tx, wanted: Wanted[], what: Spendable, now: Date) {
  const asked = wanted.map((one) => ({ ...one, now }));
  return (await lotsOf[what](tx, asked)).map(plain);
}

/** Sums what remains in lots, by part. */
export function sumsOf({ part, remaining }: Record<'part' | 'remaining', PgColumn>) {
  const sum = (one: BalancePart) =>
    sql<number>`coalesce(sum(${remaining}) filter (where ${eq(part, one).inlineParams()}), 0)::bigint`.as(one);
  return { principal: sum('principal'), bonus: sum('bonus'), points: sum('points') };
}
