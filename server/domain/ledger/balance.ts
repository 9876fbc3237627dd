import type { Fragment, Tx } from '@/db/client';
import { DomainError } from '../core/errors';

export type BalancePart = 'principal' | 'bonus' | 'points';
/** An amount for each part of a balance: minor units, and points. */
export type Value = Record<BalancePart, number>;

/** What the lock of a balance tells, expired value included. */
export interface Held {
  points: number;
  blockedAt: Date | null;
}

/**
 * Locks a customer's balance until the database transaction ends, and with it all that the customer owns. Returned
 * unsent: await it together with what follows, to share the round trip.
 */
export function lockBalance({ merchantId, sql }: Tx, customerId: string) {
  return sql<[Held]>`
    select points, blocked_at as "blockedAt" from balances
    where merchant_id = ${merchantId} and customer_id = ${customerId} for update`;
}

/** Errors: `customer_blocked` where the merchant lets the customer neither top up nor redeem. */
export function checkNotBlocked({ blockedAt }: Pick<Held, 'blockedAt'>): void {
  if (blockedAt !== null) throw new DomainError('customer_blocked', 'The customer is blocked; ask a manager.');
}

/**
 * What to do about a lock that another database transaction has: wait for it, or give up on what needs it, so that the
 * rest does not wait for it too.
 */
export type Patience = 'wait' | 'give up';

/** Another database transaction has the lock, and it was not waited for. */
export class Locked extends Error {}

/**
 * Locks several balances, in the order of their ids, so that two batches never wait for each other in a circle.
 * Customers whose lock was skipped are absent.
 */
export function lockBalances({ merchantId, sql }: Tx, customerIds: string[], patience: Patience = 'wait') {
  return sql<(Held & { customerId: string })[]>`
    select customer_id as "customerId", points, blocked_at as "blockedAt" from balances
    where merchant_id = ${merchantId} and customer_id = any(${customerIds}::uuid[])
    order by customer_id for update ${unlessLocked(sql, patience)}`;
}

/** The lock clause's suffix: `skip locked` when not waiting. */
export const unlessLocked = (sql: Tx['sql'], patience: Patience): Fragment =>
  patience === 'wait' ? sql`` : sql`skip locked`;

/**
 * What customers can spend at `now`: open lots that have not expired. Customers with nothing have no row. Read it
 * while holding the lock.
 */
export function spendable(tx: Tx, customerIds: string[], now: Date) {
  return tx.sql<(Value & { customerId: string })[]>`
    select customer_id as "customerId", ${sums(tx)}
    from lots
    where merchant_id = ${tx.merchantId} and customer_id = any(${customerIds}::uuid[]) and open and ${notExpired(tx, now)}
    group by customer_id`;
}

export const nothing: Value = { principal: 0, bonus: 0, points: 0 };

/** What is spent together: a bill is paid with both parts of stored value. */
export type Spendable = 'stored value' | BalancePart;

interface Wanted {
  customerId: string;
  amount: number;
}

/** A lot that can be spent from. */
export interface OpenLot {
  id: string;
  part: BalancePart;
  remaining: number;
}

/**
 * What customers can spend of `what` at `now`, and the lots that the first `amount` of it comes from: those that expire
 * soonest, then the oldest, the bonus of a top-up before what was paid for it. Read it behind the lock.
 */
export function spendableLots(tx: Tx, wanted: Wanted[], what: Spendable, now: Date) {
  const { merchantId, sql } = tx;
  const customerIds = wanted.map(({ customerId }) => customerId);
  return sql<(Value & { customerId: string; lots: OpenLot[] | null })[]>`
    with usable as (
      select l.customer_id, l.id, l.part, l.remaining, w.amount as wanted,
        sum(l.remaining) over (
          partition by l.customer_id order by l.expires_at nulls last, l.created_at, l.transaction_uid, l.part desc
          rows unbounded preceding
        ) - l.remaining as before
      from json_to_recordset(${JSON.stringify(wanted)}::text::json) as w ("customerId" uuid, amount bigint)
      join lots l on l.merchant_id = ${merchantId} and l.customer_id = any(${customerIds}::uuid[])
        and l.customer_id = w."customerId" and l.open and ${notExpired(tx, now)}
        and ${what === 'stored value' ? sql`l.part <> 'points'` : sql.unsafe(`l.part = '${what}'`)}
    )
    select customer_id as "customerId", ${sums(tx)},
      json_agg(json_build_object('id', id, 'part', part, 'remaining', remaining) order by before)
        filter (where before < wanted) as lots
    from usable group by customer_id`;
}

const notExpired = ({ sql }: Tx, now: Date): Fragment => sql`(expires_at is null or expires_at > ${now})`;

const sums = ({ sql }: Tx): Fragment => sql`
  coalesce(sum(remaining) filter (where part = 'principal'), 0)::bigint as principal,
  coalesce(sum(remaining) filter (where part = 'bonus'), 0)::bigint as bonus,
  coalesce(sum(remaining) filter (where part = 'points'), 0)::bigint as points`;
