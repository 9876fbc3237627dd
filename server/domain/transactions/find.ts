/** Finds the keys of a list's transactions. Every filter reads few rows, however many transactions there are. */

import { and, desc, eq, gte, inArray, isNull, lt, type SQL, type Subquery, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { nameOf } from '@/db/query/expressions';
import { stores, transactions } from '@/db/schema';
import { facetOf, sharesFacet } from '@/db/schema/ledger';
import { recordedType, transactionStatus } from '../engine';
import type { StoreDays } from '../kernel/calendar';
import { createdInStoresOn } from '../kernel/on-days';
import { ifGiven, type Seek, seekSql } from '../kernel/page';
import type { TransactionFilter } from './schemas';

const { merchantId, uid, storeId, transactionId, facet, billId } = transactions;

export const newestFirst = { columns: [uid], descending: true };
const facetIndex = { columns: [storeId, facet, uid], descending: true };

/** The keys of transactions, for a join. */
export interface Uids {
  $rows: SQL | Subquery;
  uid: SQL | PgColumn;
}

interface Range {
  /** Conditions on `uid`: the days, and the page's start. On the type, too, if its facets are shared. */
  within: SQL | undefined;
  inOrder: ReturnType<typeof seekSql>['inOrder'];
  /** The same order within a store and facet, as their index writes it. */
  orderByIndex: SQL[];
}

/** Selects a page's uids, in order. A uid begins with the time when its transaction was recorded. */
export function findUids(tx: Tx, filter: TransactionFilter, page: Seek, days: StoreDays): Uids {
  const { where, orderBy, inOrder, limit } = seekSql(page, newestFirst);
  const { orderBy: orderByIndex } = seekSql(page, facetIndex);
  const within = and(where, createdInStoresOn({ at: uid, storeId }, days, filter));
  const { search, customerId, type, status, storeId: ofStore } = filter;
  const isSelective = search !== undefined || customerId !== undefined;
  if (!isSelective && (type ?? status ?? ofStore) !== undefined) {
    const isOfType = type !== undefined && sharesFacet(type) ? eq(transactions.type, type) : undefined;
    return mergeFacets(tx, filter, { within: and(within, isOfType), inOrder, orderByIndex }, limit);
  }
  const found = tx.db
    .select({ uid })
    .from(transactions)
    .where(
      and(
        eq(merchantId, tx.merchantId),
        within,
        ifGiven(search, (one) => inArray(uid, searched(tx, one, filter))),
        ifGiven(customerId, (one) => eq(transactions.customerId, one)),
        ifGiven(type, (one) => eq(transactions.type, one)),
        ifGiven(status, (one) => eq(transactions.status, one)),
        ifGiven(ofStore, (one) => eq(storeId, one)),
      ),
    )
    .orderBy(...orderBy)
    .limit(limit)
    .as('page');
  return { $rows: found, uid: found.uid };
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The `transactionId` of a top-up that was paid online. */
const onlinePattern = /^online-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How many of a store's ids with the same prefix are searched, highest first, because a POS counts up. */
export const mostAlike = 100;

/** True if `search` is one of our uids instead of a POS's text. */
export const isUid = (search: string): boolean => uuidPattern.test(search);

/**
 * Selects transactions by their uid, their bill, or the start of their `transactionId`; online top-ups only by the
 * whole id.
 */
function searched(tx: Tx, search: string, { storeId: ofStore }: TransactionFilter) {
  const { db } = tx;
  if (isUid(search)) return sql`(${search}::uuid)`;
  const isOwn = eq(merchantId, tx.merchantId);
  if (onlinePattern.test(search)) {
    return db
      .select({ uid })
      .from(transactions)
      .where(and(isOwn, isNull(storeId), eq(transactionId, search)));
  }
  const ofBill = db
    .select({ uid })
    .from(transactions)
    .where(and(isOwn, eq(storeId, stores.id), eq(billId, search)))
    .limit(mostAlike);
  const alike = idsFrom(tx, search, mostAlike).unionAll(ofBill).as('alike');
  return db
    .select({ uid: alike.uid })
    .from(stores)
    .crossJoinLateral(alike)
    .where(
      and(
        eq(stores.merchantId, tx.merchantId),
        ifGiven(ofStore, (one) => eq(stores.id, one)),
      ),
    );
}

/**
 * Selects the store's highest ids that begin with `search`. No id contains a `~`, which sorts after all allowed
 * characters.
 */
export const idsFrom = ({ merchantId: own, db }: Tx, search: string, most: number) =>
  db
    .select({ uid })
    .from(transactions)
    .where(
      and(eq(merchantId, own), eq(storeId, stores.id), gte(transactionId, search), lt(transactionId, `${search}~`)),
    )
    .orderBy(desc(transactionId))
    .limit(most);

/**
 * A store's transactions of one facet (type and status) are a range of an index in the list's order. The page is merged
 * from the matching ranges. A range whose first row comes after a whole page of other ranges' first rows is left out.
 */
function mergeFacets(tx: Tx, filter: TransactionFilter, range: Range, limit: number): Uids {
  const types = filter.type === undefined ? [...recordedType.options, null] : [filter.type];
  const statuses = filter.status === undefined ? transactionStatus.options : [filter.status];
  const facets = new Set(types.flatMap((type) => statuses.map((status) => facetOf(type, status))));
  const ofStores =
    filter.storeId === undefined
      ? sql`select ${stores.id} as of_store from ${stores} where ${eq(stores.merchantId, tx.merchantId)} union all select null`
      : sql`select ${filter.storeId}::uuid as of_store`;
  const first = rowsOf(tx, range, 1);
  const rows = rowsOf(tx, range, limit);
  const most = sql.raw(String(limit));
  const merged = sql`
    with ranges as materialized (
      select s.of_store, f.of_facet from (${ofStores}) s, unnest(${sql.param([...facets])}::smallint[]) f (of_facet)
    ), first_ranges as materialized (
      select of_store, of_facet from ranges cross join lateral ${first} order by ${range.inOrder(first.uid)} limit ${most}
    )
    select ${rows.uid} from first_ranges cross join lateral ${rows} order by ${range.inOrder(rows.uid)} limit ${most}`;
  return { $rows: sql`(${merged}) as page (${nameOf(uid)})`, uid: sql`page.${nameOf(uid)}` };
}

/**
 * Selects the first rows of a range. Transactions that no POS sent have no store, which an index finds only by `is
 * null`.
 */
function rowsOf({ merchantId: own, db }: Tx, { within, inOrder, orderByIndex }: Range, limit: number) {
  const rows = (isOfStore: SQL | undefined) =>
    db
      .select({ uid })
      .from(transactions)
      .where(and(eq(merchantId, own), isOfStore, eq(facet, sql`of_facet`), within))
      .orderBy(...orderByIndex)
      .limit(limit);
  const either = rows(eq(storeId, sql`of_store`))
    .unionAll(rows(and(sql`of_store is null`, isNull(storeId))))
    .as('either');
  return db.select({ uid: either.uid }).from(either).orderBy(inOrder(either.uid)).limit(limit).as('one');
}
