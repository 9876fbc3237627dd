import { and, count, eq, gt, gte, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import { profileOf } from '@/db/kinds/lists';
import { nameOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { balances, customers, customerTerms, lots } from '@/db/schema';
import { displayName, matchesSearch, maxMatches, type Profile } from '../identity';
import { endOfDate, startOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { ifGiven, type ListOrder, type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import type { CustomerFilter, ListCustomersInput } from './schemas';
import { isTermOfTag } from './tags';

export interface ListedCustomer extends Profile {
  customerId: string;
  /** The full name, as shown. */
  name: string;
  joinedAt: Date;
  isBlocked: boolean;
  isErased: boolean;
  /** True for a duplicate that was merged into another customer. */
  isMerged: boolean;
  /** What can be spent now, in minor units and points. */
  storedValue: number;
  points: number;
}

export interface CustomerPage extends Page<ListedCustomer> {
  /** True if more customers match than are searched. */
  isSearchCut: boolean;
}

interface Listing extends CustomerFilter, PageRequest {
  sort: ListCustomersInput['sort'];
  descending: boolean;
}

/**
 * Lists the merchant's customers. With a range of days, they are always ordered by joining date, because no index has
 * both. Errors: `invalid_request` for a cursor of another list.
 */
export async function listCustomers(ctx: StaffContext, listing: Listing): Promise<CustomerPage> {
  const { sort, descending, search, from, until } = listing;
  const isByJoining = sort === 'joined' || (search === undefined && (from ?? until) !== undefined);
  const order: ListOrder = isByJoining
    ? { columns: [customers.joinedAt, customers.id], kinds: ['instant', 'uuid'], descending }
    : { columns: [customers.nameKey, customers.id], kinds: ['text', 'uuid'], descending };
  const page = seekPage(listing, order);
  const [rows, isSearchCut] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    Promise.all([selectPage(ctx, tx, listing, seekSql(page, order)), isCut(tx, search)]),
  );
  const keyOf = (row: Row) => [isByJoining ? row.joinedAt : row.nameKey, row.customerId];
  return { ...toPage(rows, page, keyOf, toListed), isSearchCut };
}

type Row = Awaited<ReturnType<typeof selectPage>>[number];

const { id, nameKey, joinedAt, erasedAt, mergedInto } = customers;
const listedColumns = { id, ...profileOf(customers), nameKey, joinedAt, erasedAt, mergedInto };

const tagged = alias(customerTerms, 'tagged');

/** Orders refer to columns of `customers`, so a substitute for the table must have its name. */
const asCustomers = 'customers';

async function selectPage(
  { merchant, clock }: StaffContext,
  tx: Tx,
  { search, tag, isBlocked, holdsValue, from, until }: Listing,
  { where, orderBy, limit }: ReturnType<typeof seekSql>,
) {
  const { merchantId, db } = tx;
  const candidates = (
    search === undefined ? db.select(listedColumns).from(customers) : selectFound(tx, search)
  ).$dynamic();
  if (isBlocked || holdsValue) {
    candidates.innerJoin(
      balances,
      and(
        eq(balances.merchantId, merchantId),
        eq(balances.customerId, customers.id),
        isBlocked && and(isNotNull(balances.blockedAt), isNull(balances.mergedAt)),
        holdsValue && balances.holdsValue,
      ),
    );
  }
  if (tag !== undefined) {
    candidates.innerJoin(
      tagged,
      and(eq(tagged.merchantId, merchantId), eq(tagged.customerId, customers.id), isTermOfTag(tagged.term, tag)),
    );
  }
  const listed = candidates
    .where(
      and(
        eq(customers.merchantId, merchantId),
        ifGiven(from, (day) => gte(joinedAt, startOfDate(day, merchant))),
        ifGiven(until, (day) => lte(joinedAt, endOfDate(day, merchant))),
        where,
      ),
    )
    .orderBy(...orderBy)
    .limit(limit)
    .as(asCustomers);
  const sumOf = (which: SQL) => sql<number>`coalesce(sum(${lots.remaining}) filter (where ${which}), 0)::bigint`;
  const held = db
    .select({
      storedValue: sumOf(ne(lots.part, 'points').inlineParams()).as('stored_value'),
      points: sumOf(eq(lots.part, 'points').inlineParams()).as('points_held'),
    })
    .from(lots)
    .where(
      and(
        eq(lots.merchantId, merchantId),
        eq(lots.customerId, listed.id),
        lots.open,
        or(isNull(lots.expiresAt), gt(lots.expiresAt, clock.now())),
      ),
    )
    .as('held');
  return await db
    .select({
      customerId: listed.id,
      ...profileOf(listed),
      nameKey: listed.nameKey,
      joinedAt: listed.joinedAt,
      erasedAt: listed.erasedAt,
      mergedInto: listed.mergedInto,
      blockedAt: balances.blockedAt,
      storedValue: held.storedValue,
      points: held.points,
    })
    .from(listed)
    .innerJoin(balances, and(eq(balances.merchantId, merchantId), eq(balances.customerId, listed.id)))
    .crossJoinLateral(held)
    .orderBy(...orderBy);
}

/** Looks up matches one by one, whatever row count the planner expects. */
function selectFound(tx: Tx, search: string) {
  const { merchantId, db } = tx;
  const { customerId } = alias(customerTerms, 'found');
  const found = sql`(
    with found as materialized ${distinctMatches(tx, search)} select ${nameOf(customerId)} from found
  ) found`;
  const customer = db
    .select({ merchantId: customers.merchantId, ...listedColumns })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId)))
    .limit(1)
    .as(asCustomers);
  return db.select(listedColumns).from(found).crossJoinLateral(customer);
}

function distinctMatches(tx: Tx, search: string) {
  const found = matchesSearch(tx, search).as('all_found');
  return tx.db.selectDistinct({ customerId: found.customerId }).from(found);
}

async function isCut(tx: Tx, search: string | undefined): Promise<boolean> {
  if (search === undefined) return false;
  const counted = only(await tx.db.select({ found: count() }).from(distinctMatches(tx, search).as('found')));
  return counted.found >= maxMatches;
}

/** Formats a customer for the list. */
const toListed = ({ nameKey, erasedAt, mergedInto: kept, blockedAt, ...row }: Row): ListedCustomer => ({
  ...row,
  name: displayName(row),
  isBlocked: blockedAt !== null,
  isErased: erasedAt !== null,
  isMerged: kept !== null,
});
