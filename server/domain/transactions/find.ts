/** The keys of a list's transactions. Whatever the filter, few rows are read: of 2.5 million as fast as of a few. */
import type { Fragment, Tx } from '@/db/client';
import { facetOf } from '@/db/schema/ledger';
import { ifGiven, madeOn } from '../core/filter';
import { type Seek, seekSql } from '../core/page';
import { recordedType, type TransactionFilter, transactionStatus } from './schemas';

export const newestFirst = { columns: ['uid'], descending: true };
const facetIndex = { columns: ['store_id', 'facet', 'uid'], descending: true };

interface Range {
  /** Conditions on `uid`: the days, and where the page starts. */
  within: Fragment;
  orderBy: Fragment;
  /** The same order within a store and facet, in the words of their index. */
  orderByIndex: Fragment;
  limit: Fragment;
}

/** A query for the uids of a page, in its order. A uid begins with the time when its transaction was recorded. */
export function findUids(tx: Tx, filter: TransactionFilter, page: Seek, timeZone: string): Fragment {
  const { merchantId, sql } = tx;
  const { where, orderBy, limit } = seekSql(tx, page, newestFirst);
  const { orderBy: orderByIndex } = seekSql(tx, page, facetIndex);
  const within = sql`${where} and ${madeOn(tx, 'uid', timeZone, filter)}`;
  const { search, customerId, type, status, storeId } = filter;
  const isSelective = search !== undefined || customerId !== undefined;
  if (!isSelective && (type ?? status ?? storeId) !== undefined) {
    return mergeFacets(tx, filter, { within, orderBy, orderByIndex, limit });
  }
  return sql`
    select uid from transactions
    where merchant_id = ${merchantId} and ${within}
      and ${ifGiven(tx, search, (one) => sql`uid in (${searched(tx, one, filter)})`)}
      and ${ifGiven(tx, customerId, (one) => sql`customer_id = ${one}`)}
      and ${ifGiven(tx, type, (one) => sql`type = ${one}`)}
      and ${ifGiven(tx, status, (one) => sql`status = ${one}`)}
      and ${ifGiven(tx, storeId, (one) => sql`store_id = ${one}`)}
    order by ${orderBy} ${limit}`;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The `transactionId` of a top-up that was paid online. */
const onlinePattern = /^online-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** At most this many of a store's ids with the same prefix are searched, highest first, because a POS counts up. */
export const mostAlike = 100;

/** Whether `search` means one transaction of ours, rather than what a POS wrote. */
export const isUid = (search: string): boolean => uuidPattern.test(search);

/** Those that `search` may mean: by their uid, their bill, or what their transactionId begins with; online, by all of it. */
function searched(tx: Tx, search: string, { storeId }: TransactionFilter): Fragment {
  const { merchantId, sql } = tx;
  if (isUid(search)) return sql`select ${search}::uuid`;
  if (onlinePattern.test(search)) {
    return sql`
      select uid from transactions where merchant_id = ${merchantId} and store_id is null and transaction_id = ${search}`;
  }
  return sql`
    select alike.uid from stores s cross join lateral (
      (${idsFrom(tx, search, mostAlike)})
      union all
      (select uid from transactions
        where merchant_id = ${merchantId} and store_id = s.id and bill_id = ${search} limit ${sql.unsafe(String(mostAlike))})
    ) alike
    where s.merchant_id = ${merchantId} and ${ifGiven(tx, storeId, (one) => sql`s.id = ${one}`)}`;
}

/** The highest ids of the store `s` that begin with `search`: no id holds a `~`, which sorts behind all that it may. */
export function idsFrom({ merchantId, sql }: Tx, search: string, most: number): Fragment {
  return sql`
    select uid from transactions
    where merchant_id = ${merchantId} and store_id = s.id
      and transaction_id >= ${search} and transaction_id < ${`${search}~`}
    order by transaction_id desc limit ${sql.unsafe(String(most))}`;
}

/**
 * A store's transactions of one facet (type and status) are a range of an index that is in the list's order. The page is
 * merged from the ranges that match; those whose first row comes behind the first rows of a page of others have no part.
 */
function mergeFacets(tx: Tx, filter: TransactionFilter, range: Range): Fragment {
  const { merchantId, sql } = tx;
  const { orderBy, limit } = range;
  const types = filter.type === undefined ? [...recordedType.options, null] : [filter.type];
  const statuses = filter.status === undefined ? transactionStatus.options : [filter.status];
  const facets = types.flatMap((type) => statuses.map((status) => facetOf(type, status)));
  const stores =
    filter.storeId === undefined
      ? sql`select id from stores where merchant_id = ${merchantId} union all select null`
      : sql`select ${filter.storeId}::uuid as id`;
  return sql`
    with ranges as materialized (
      select s.id as of_store, of_facet from (${stores}) s, unnest(${facets}::smallint[]) of_facet
    ), first_ranges as materialized (
      select of_store, of_facet from ranges cross join lateral (${rowsOf(tx, range, sql`limit 1`)}) first_row
      order by ${orderBy} ${limit}
    )
    select uid from first_ranges cross join lateral (${rowsOf(tx, range, limit)}) one
    order by ${orderBy} ${limit}`;
}

/** The first rows of a range. What no POS sent is of no store, which an index finds only by `is null`. */
function rowsOf({ merchantId, sql }: Tx, { within, orderBy, orderByIndex }: Range, limit: Fragment): Fragment {
  const rows = (ofStore: Fragment) => sql`
    (select uid from transactions
      where merchant_id = ${merchantId} and ${ofStore} and facet = of_facet and ${within} order by ${orderByIndex} ${limit})`;
  return sql`
    select uid from (
      ${rows(sql`store_id = of_store`)} union all ${rows(sql`of_store is null and store_id is null`)}
    ) either order by ${orderBy} ${limit}`;
}
