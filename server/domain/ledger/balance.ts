import type { Fragment, Tx } from '@/db/client';
import { DomainError } from '../core/errors';

export type BalancePart = 'principal' | 'bonus' | 'points';
/** An amount for each part of a balance: minor units, and points. */
export type Value = Record<BalancePart, number>;

/** What the lock of a balance tells, expired value included. */
interface Held {
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

/** Locks several balances, in the order of their ids, so that two batches never wait for each other in a circle. */
export function lockBalances({ merchantId, sql }: Tx, customerIds: string[]) {
  return sql`
    select from balances where merchant_id = ${merchantId} and customer_id = any(${customerIds}::uuid[])
    order by customer_id for update`;
}

/** What a customer can spend at `now`: open lots that have not expired. Read it behind `lockBalances`. */
export function spendable(tx: Tx, customerId: string, now: Date) {
  return tx.sql<[Value]>`
    select coalesce(sum(remaining) filter (where part = 'principal'), 0)::bigint as principal,
      coalesce(sum(remaining) filter (where part = 'bonus'), 0)::bigint as bonus,
      coalesce(sum(remaining) filter (where part = 'points'), 0)::bigint as points
    from lots where merchant_id = ${tx.merchantId} and customer_id = ${customerId} and open and ${notExpired(tx, now)}`;
}

function notExpired({ sql }: Tx, now: Date): Fragment {
  return sql`(expires_at is null or expires_at > ${now})`;
}

interface Spending {
  customerId: string;
  parts: 'stored value' | BalancePart;
  amount: number;
  /** Take what there is when it is less than `amount`. */
  allowPartial: boolean;
  now: Date;
}

export interface LotChange {
  lotId: string;
  part: BalancePart;
  amount: number;
}

interface Spent {
  /** What could be spent before. */
  before: Value;
  /** From which lots how much was taken; empty when there was not enough. */
  taken: LotChange[] | null;
}

/**
 * Takes `amount` from the lots that expire soonest, then the oldest, the bonus of a top-up before what was paid for it,
 * and from the balance: all in one statement, to be sent behind `lockBalances`. Takes nothing where there is not enough.
 */
export function spend(tx: Tx, { customerId, parts, amount, allowPartial, now }: Spending) {
  const { merchantId, sql } = tx;
  const spendingOrder = sql`order by expires_at nulls last, created_at, transaction_uid, part desc`;
  return sql<[Spent]>`
    with usable as materialized (
      select id, part, remaining,
        (sum(remaining) over (${spendingOrder} rows unbounded preceding) - remaining)::bigint as before
      from lots
      where merchant_id = ${merchantId} and customer_id = ${customerId} and open and ${notExpired(tx, now)}
        and ${parts === 'stored value' ? sql`part <> 'points'` : sql.unsafe(`part = '${parts}'`)}
    ), total as (
      select coalesce(sum(remaining), 0)::bigint as amount from usable
    ), wanted as (
      select case when amount >= ${amount}::bigint then ${amount}::bigint when ${allowPartial} then amount else 0 end as amount from total
    ), taken as materialized (
      select id, part, least(remaining, wanted.amount - before) as amount from usable, wanted where before < wanted.amount
    ), from_lots as (
      update lots set remaining = lots.remaining - taken.amount from taken
      where lots.merchant_id = ${merchantId} and lots.id = taken.id
    ), from_balance as (
      update balances b set principal = b.principal - s.principal, bonus = b.bonus - s.bonus, points = b.points - s.points
      from (
        select coalesce(sum(amount) filter (where part = 'principal'), 0)::bigint as principal,
          coalesce(sum(amount) filter (where part = 'bonus'), 0)::bigint as bonus,
          coalesce(sum(amount) filter (where part = 'points'), 0)::bigint as points
        from taken having count(*) > 0
      ) s
      where b.merchant_id = ${merchantId} and b.customer_id = ${customerId}
    )
    select (
      select json_build_object(
        'principal', coalesce(sum(remaining) filter (where part = 'principal'), 0),
        'bonus', coalesce(sum(remaining) filter (where part = 'bonus'), 0),
        'points', coalesce(sum(remaining) filter (where part = 'points'), 0)) from usable
    ) as before,
    (select json_agg(json_build_object('lotId', id, 'part', part, 'amount', amount)) from taken) as taken`;
}

/** The sum of `changes` in each part. */
export function sumByPart(changes: LotChange[]): Value {
  const value: Value = { principal: 0, bonus: 0, points: 0 };
  for (const { part, amount } of changes) value[part] += amount;
  return value;
}
