import type { Row } from 'postgres';
import type { Fragment, Tx } from '@/db/client';
import { startOfDate } from '../core/calendar';
import { checkStoreIds } from '../merchants/store';
import type { Segment } from './campaign-schemas';

/** A part of the customers, in the order of their ids. */
export interface CustomerBatch {
  customerIds: string[];
  /** The last one that was looked at, from where the next batch goes on; null where it was the end. */
  last: string | null;
}

/**
 * The members of a segment, none of them blocked, among the next `take` customers after `after`: a bounded piece of
 * work, however many match.
 */
export async function readSegment(
  tx: Tx,
  segment: Segment,
  { after, take, timeZone, now }: { after: string | null; take: number; timeZone: string; now: Date },
): Promise<CustomerBatch> {
  const { merchantId, sql } = tx;
  const [row] = await sql`
    with batch as materialized (
      select id, joined_at from customers
      where merchant_id = ${merchantId} and id > ${after ?? '00000000-0000-0000-0000-000000000000'}
      order by id ${sql.unsafe(`limit ${take}`)}
    )
    select (select count(*) from batch) as looked_at, (select id from batch order by id desc limit 1) as last,
      array(select id from batch c where ${condition(tx, segment, timeZone, now)} order by id) as customer_ids`;
  return { customerIds: row?.customer_ids, last: row?.looked_at === take ? row.last : null };
}

function condition(tx: Tx, segment: Segment, timeZone: string, now: Date): Fragment {
  const { merchantId, sql } = tx;
  const { lastVisitedStoreId, minSpent, notSeenSince, joinedBefore, holdsStoredValue } = segment;
  const own = sql`t.merchant_id = ${merchantId} and t.customer_id = c.id and t.status = 'completed'`;
  const conditions = [
    sql`not exists (
      select from balances b where b.merchant_id = ${merchantId} and b.customer_id = c.id and b.blocked_at is not null)`,
  ];
  if (joinedBefore !== null) conditions.push(sql`c.joined_at < ${startOfDate(joinedBefore, timeZone)}`);
  if (notSeenSince !== null) {
    const since = startOfDate(notSeenSince, timeZone);
    conditions.push(sql`c.joined_at < ${since} and not exists (
      select from transactions t where ${own} and t.store_id is not null and t.occurred_at >= ${since})`);
  }
  if (lastVisitedStoreId !== null) {
    conditions.push(sql`${lastVisitedStoreId} = (
      select t.store_id from transactions t where ${own} and t.store_id is not null order by t.uid desc limit 1)`);
  }
  if (minSpent !== null) {
    conditions.push(sql`${minSpent} <= (select sum(t.amount) from transactions t where ${own} and t.type = 'sale')`);
  }
  if (holdsStoredValue) {
    conditions.push(sql`exists (
      select from lots l where l.merchant_id = ${merchantId} and l.customer_id = c.id and l.open and l.part <> 'points'
        and (l.expires_at is null or l.expires_at > ${now}))`);
  }
  return conditions.reduce((all, one) => sql`${all} and ${one}`);
}

/** Errors: `store_not_found`. */
export async function checkSegment(tx: Tx, { lastVisitedStoreId }: Segment): Promise<void> {
  if (lastVisitedStoreId !== null) await checkStoreIds(tx, [lastVisitedStoreId]);
}

/** The columns that a segment is kept in, of a campaign and of an issue. */
export const segmentColumns = (segment: Segment) => ({
  last_visited_store_id: segment.lastVisitedStoreId,
  min_spent: segment.minSpent,
  not_seen_since: segment.notSeenSince,
  joined_before: segment.joinedBefore,
  holds_stored_value: segment.holdsStoredValue,
});

/** The segment that a row's `segmentColumns` hold. */
export const toSegment = (row: Row): Segment => ({
  lastVisitedStoreId: row.last_visited_store_id,
  minSpent: row.min_spent,
  notSeenSince: toDay(row.not_seen_since),
  joinedBefore: toDay(row.joined_before),
  holdsStoredValue: row.holds_stored_value,
});

/** A column of type `date`, which the driver reads as midnight UTC. */
export const toDay = (value: Date | null): string | null => value?.toISOString().slice(0, 10) ?? null;
