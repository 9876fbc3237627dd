import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { endOfDate, startOfDate } from '../core/calendar';
import { ifGiven } from '../core/filter';
import { type ListOrder, type Page, type PageRequest, seek, seekSql, toPage } from '../core/page';
import type { StaffContext } from '../staff/context';
import type { CustomerFilter, ListCustomersInput } from './schemas';
import { matches, mostMatches } from './search';

export interface ListedCustomer {
  customerId: string;
  /** In full, as it is shown. */
  name: string;
  givenName: string;
  lastName: string;
  phone: string | null;
  email: string | null;
  joinedAt: Date;
  isBlocked: boolean;
  isErased: boolean;
  /** What can be spent now: minor units, and points. */
  storedValue: number;
  points: number;
}

export interface CustomerPage extends Page<ListedCustomer> {
  /** More customers match than are searched. */
  isSearchCut: boolean;
}

interface Listing extends CustomerFilter, PageRequest {
  sort: ListCustomersInput['sort'];
  descending: boolean;
}

/**
 * The merchant's customers. A range of days is in the order of joining whatever is asked, for no index has both.
 * Errors: `invalid_request` for a foreign cursor.
 */
export async function listCustomers(ctx: StaffContext, listing: Listing): Promise<CustomerPage> {
  const { sort, descending, search, from, until } = listing;
  const isByJoining = sort === 'joined' || (search === undefined && (from ?? until) !== undefined);
  const order: ListOrder = isByJoining
    ? { columns: ['c.joined_at', 'c.id'], kinds: ['instant', 'uuid'], descending }
    : { columns: ['c.name_key', 'c.id'], kinds: ['text', 'uuid'], descending };
  const page = seek(listing, order);
  const [rows, isSearchCut] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    Promise.all([selectPage(ctx, tx, listing, seekSql(tx, page, order)), isCut(tx, search)]),
  );
  const keyOf = (row: Row) => [isByJoining ? row.joined_at : row.name_key, row.id];
  return { ...toPage(rows, page, keyOf, toListed), isSearchCut };
}

function selectPage(
  { merchant, clock }: StaffContext,
  tx: Tx,
  { search, isBlocked, holdsValue, from, until }: Listing,
  { where, orderBy, limit }: ReturnType<typeof seekSql>,
) {
  const { merchantId, sql } = tx;
  const found = search === undefined ? sql`` : sql`with found as materialized (${distinctMatches(tx, search)})`;
  // Found ones are looked up one by one, whatever the planner believes of how many they are.
  const customers =
    search === undefined
      ? sql`customers c`
      : sql`found cross join lateral (
          select * from customers where merchant_id = ${merchantId} and id = found.customer_id limit 1
        ) c`;
  const ofBalance =
    isBlocked || holdsValue
      ? sql`join balances b on b.merchant_id = ${merchantId} and b.customer_id = c.id
        ${isBlocked ? sql`and b.blocked_at is not null` : sql``} ${holdsValue ? sql`and b.holds_value` : sql``}`
      : sql``;
  const joined = sql`
    ${ifGiven(tx, from, (day) => sql`c.joined_at >= ${startOfDate(day, merchant.timeZone)}`)}
    and ${ifGiven(tx, until, (day) => sql`c.joined_at <= ${endOfDate(day, merchant.timeZone)}`)}`;
  return sql`
    ${found}
    select c.*, b.blocked_at, held.*
    from (
      select c.id, c.given_name, c.last_name, c.name_key, c.phone, c.email, c.joined_at, c.erased_at
      from ${customers} ${ofBalance}
      where c.merchant_id = ${merchantId} and ${joined} and ${where}
      order by ${orderBy} ${limit}
    ) c
    join balances b on b.merchant_id = ${merchantId} and b.customer_id = c.id
    cross join lateral (
      select coalesce(sum(remaining) filter (where part <> 'points'), 0)::bigint as stored_value,
        coalesce(sum(remaining) filter (where part = 'points'), 0)::bigint as points
      from lots where merchant_id = ${merchantId} and customer_id = c.id and open
        and (expires_at is null or expires_at > ${clock.now()})
    ) held
    order by ${orderBy}`;
}

const distinctMatches = (tx: Tx, search: string): Fragment =>
  tx.sql`select distinct customer_id from (${matches(tx, search)}) all_found`;

async function isCut(tx: Tx, search: string | undefined): Promise<boolean> {
  if (search === undefined) return false;
  const [row] = await tx.sql`select count(*)::int as found from (${distinctMatches(tx, search)}) found`;
  return row?.found >= mostMatches;
}

/** A customer as the list shows it, from a row of its query. */
const toListed = (row: Row): ListedCustomer => ({
  customerId: row.id,
  name: `${row.given_name} ${row.last_name}`.trim(),
  givenName: row.given_name,
  lastName: row.last_name,
  phone: row.phone,
  email: row.email,
  joinedAt: row.joined_at,
  isBlocked: row.blocked_at !== null,
  isErased: row.erased_at !== null,
  storedValue: row.stored_value,
  points: row.points,
});
