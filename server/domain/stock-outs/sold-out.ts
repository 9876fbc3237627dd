/** Stock-outs as the merchant's people see and set them: of all stores. */
import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { nextBusinessDay } from '../core/calendar';
import { invalid } from '../core/errors';
import { type ListOrder, type Page, type PageRequest, seek, seekSql, toPage } from '../core/page';
import { checkStoreIds } from '../merchants/store';
import type { StaffContext } from '../staff/context';
import { addStockOuts, optionNames, removeStockOuts, type StockOut } from './entries';
import type { ListSoldOutInput, MarkSoldOutInput, RestoreSoldOutInput } from './schemas';

export interface SoldOutItem {
  storeId: string;
  storeName: string;
  plu: string;
  /** An item's or an option's; null where the menu does not know the PLU. Only items have a category. */
  name: string | null;
  categoryId: string | null;
  categoryName: string | null;
  until: Date | null;
  markedAt: Date;
  /** A person's name, or that of a till's key. */
  markedBy: string | null;
  markedAtTill: boolean;
}

const most = 1_000;

/** What is sold out now, in the order of the menu, unknown PLUs last; `isMore` where that is not all. */
export async function listSoldOut(
  { db, merchant, clock }: StaffContext,
  filter: ListSoldOutInput,
): Promise<{ items: SoldOutItem[]; isMore: boolean; tomorrow: Date }> {
  const now = clock.now();
  const rows = await withMerchant(
    db,
    merchant.id,
    (tx) => tx.sql<SoldOutItem[]>`
      ${select(tx, filter, now)}
      order by c.position, c.id, i.position, s.plu, t.name, t.id limit ${most + 1}`,
  );
  const tomorrow = nextBusinessDay(now, merchant.timeZone);
  return { items: rows.slice(0, most), isMore: rows.length > most, tomorrow };
}

const byStore: ListOrder = { columns: ['s.store_id', 's.plu'], kinds: ['uuid', 'text'], descending: false };

/** The same, by store and PLU, a page at a time. Errors: `invalid_request` for a foreign cursor. */
export async function pageSoldOut(
  { db, merchant, clock }: StaffContext,
  { after, limit: size, ...filter }: ListSoldOutInput & PageRequest,
): Promise<Page<SoldOutItem>> {
  const at = seek({ after, limit: size }, byStore);
  const rows = await withMerchant(db, merchant.id, (tx) => {
    const { where, orderBy, limit } = seekSql(tx, at, byStore);
    return tx.sql`${select(tx, filter, clock.now())} and ${where} order by ${orderBy} ${limit}`;
  });
  const keyOf = ({ storeId, plu }: Row) => [storeId, plu];
  return toPage(rows, at, keyOf, (row) => row as SoldOutItem);
}

function select(tx: Tx, { storeId, categoryId, search }: ListSoldOutInput, now: Date): Fragment {
  const { merchantId, sql } = tx;
  const literal = search.replaceAll(/[\\%_]/g, '\\$&');
  const named = sql`and (coalesce(i.name, o.name) ilike ${`%${literal}%`} or s.plu ilike ${`${literal}%`})`;
  return sql`
    select s.store_id as "storeId", t.name as "storeName", s.plu, coalesce(i.name, o.name) as name,
      c.id as "categoryId", c.name as "categoryName", s.until, s.stocked_out_at as "markedAt",
      coalesce(k.name, u.name) as "markedBy", s.actor_kind = 'apiKey' as "markedAtTill"
    from stock_outs s
    join stores t on t.merchant_id = s.merchant_id and t.id = s.store_id
    left join menu_items i on i.merchant_id = s.merchant_id and i.plu = s.plu and i.archived_at is null
    left join ${optionNames(tx)} o on o.plu = s.plu
    left join menu_categories c on c.merchant_id = i.merchant_id and c.id = i.category_id
    left join api_keys k on k.merchant_id = s.merchant_id and k.id = s.actor_id and s.actor_kind = 'apiKey'
    left join users u on u.id = s.actor_id and s.actor_kind = 'staff'
    where s.merchant_id = ${merchantId} and (s.until is null or s.until > ${now})
      ${storeId === undefined ? sql`` : sql`and s.store_id = ${storeId}`}
      ${categoryId === undefined ? sql`` : sql`and c.id = ${categoryId}`}
      ${search === '' ? sql`` : named}`;
}

/**
 * Marks items as sold out at stores. Answers what it takes to undo: `added` were not sold out before, `changed` were, with
 * the time they had. Errors: `store_not_found`, `invalid_request` for a time that is past, or an item named twice.
 */
export async function markSoldOut(
  ctx: StaffContext,
  { items }: MarkSoldOutInput,
): Promise<{ added: StockOut[]; changed: StockOut[] }> {
  const now = ctx.clock.now();
  const entries = items.map(({ storeId, plu, until }) => ({ storeId, plu, until: timeOf(until, ctx, now) }));
  if (new Set(entries.map(({ storeId, plu }) => `${storeId} ${plu}`)).size < entries.length) {
    throw invalid('items', 'has an item twice');
  }
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await checkStoreIds(tx, storeIdsOf(entries));
    const actor = { kind: 'staff', id: ctx.staff.userId } as const;
    const result = await addStockOuts(tx, entries, { actor, now, setsUntil: true });
    const done = new Set([...result.added, ...result.changed].map(({ storeId, plu }) => `${storeId} ${plu}`));
    const after = entries.filter(({ storeId, plu }) => done.has(`${storeId} ${plu}`));
    await auditByStore(tx, ctx, 'stockOut.add', after, result.changed);
    return result;
  });
}

/** Makes items orderable again; answers those that were sold out, as they were. Errors: `store_not_found`. */
export async function restoreSoldOut(
  ctx: StaffContext,
  { items }: RestoreSoldOutInput,
): Promise<{ restored: StockOut[] }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await checkStoreIds(tx, storeIdsOf(items));
    const restored = await removeStockOuts(tx, items, ctx.clock.now());
    await auditByStore(tx, ctx, 'stockOut.restore', [], restored);
    return { restored };
  });
}

function timeOf(until: string | null, { merchant }: StaffContext, now: Date): Date | null {
  if (until === null) return null;
  if (until === 'tomorrow') return nextBusinessDay(now, merchant.timeZone);
  const time = new Date(until);
  if (time <= now) throw invalid('until', 'is not in the future');
  return time;
}

const storeIdsOf = (entries: { storeId: string }[]) => [...new Set(entries.map(({ storeId }) => storeId))];

/** One row of the trail for each store. */
async function auditByStore(tx: Tx, ctx: StaffContext, action: string, after: StockOut[], before: StockOut[]) {
  await Promise.all(
    storeIdsOf([...after, ...before]).map((id) => {
      const ofStore = (list: StockOut[]) =>
        list.filter(({ storeId }) => storeId === id).map(({ plu, until }) => ({ plu, until }));
      return auditStaff(tx, ctx, action, { kind: 'store', id }, { before: ofStore(before), after: ofStore(after) });
    }),
  );
}
