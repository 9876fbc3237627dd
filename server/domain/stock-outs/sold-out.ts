/** Stock-outs for a merchant's staff, over all stores. */

import { and, eq, ilike, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { apiKeys, menuCategories, menuItems, stockOuts, stores, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { daysOfStore, type StoreDays, startOfNextDay } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { ifGiven, type ListOrder, type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import { checkStoreIds, readStoreDays } from '../merchants';
import { addStockOuts, isOut, removeStockOuts, type StockOut } from './entries';
import { isListed, nameOn, optionNames } from './names';
import type { ListSoldOutInput, MarkSoldOutInput, RestoreSoldOutInput } from './schemas';

export interface SoldOutItem {
  storeId: string;
  storeName: string;
  plu: string;
  /** The item's or option's name; null if the PLU is not on the menu. Only items have a category. */
  name: string | null;
  categoryId: string | null;
  categoryName: string | null;
  until: Date | null;
  markedAt: Date;
  /** The name of a person or of a till's key. */
  markedBy: string | null;
  markedAtTill: boolean;
}

const maxItems = 1_000;

/**
 * Lists what is sold out now, in menu order; unknown PLUs come last. `isMore` if the list is cut. `tomorrow` is when the
 * next day starts, in general and at the item's store.
 */
export async function listSoldOut(
  { db, merchant, clock }: StaffContext,
  filter: ListSoldOutInput,
): Promise<{ items: (SoldOutItem & { tomorrow: Date })[]; isMore: boolean; tomorrow: Date }> {
  const now = clock.now();
  const [rows, days] = await withMerchant(db, merchant.id, (tx) =>
    Promise.all([
      select(tx, filter, isOut(now))
        .orderBy(menuCategories.position, menuCategories.id, menuItems.position, stockOuts.plu, stores.name, stores.id)
        .limit(maxItems + 1),
      readStoreDays(tx),
    ]),
  );
  const items = rows
    .slice(0, maxItems)
    .map((item) => ({ ...item, tomorrow: startOfNextDay(now, daysOfStore(days, item.storeId)) }));
  return { items, isMore: rows.length > maxItems, tomorrow: startOfNextDay(now, days) };
}

const byStore: ListOrder = { columns: [stockOuts.storeId, stockOuts.plu], kinds: ['uuid', 'text'], descending: false };

/** Lists what is sold out by store and PLU, in pages. Errors: `invalid_request` for a cursor of another list. */
export async function pageSoldOut(
  { db, merchant, clock }: StaffContext,
  { after, limit: size, ...filter }: ListSoldOutInput & PageRequest,
): Promise<Page<SoldOutItem>> {
  const at = seekPage({ after, limit: size }, byStore);
  const { where, orderBy, limit } = seekSql(at, byStore);
  const rows = await withMerchant(db, merchant.id, (tx) =>
    select(tx, filter, and(isOut(clock.now()), where))
      .orderBy(...orderBy)
      .limit(limit),
  );
  return toPage(rows, at, ({ storeId, plu }) => [storeId, plu]);
}

function select({ merchantId, db }: Tx, { storeId, categoryId, search }: ListSoldOutInput, condition: SQL | undefined) {
  const options = optionNames(db, merchantId);
  const name = nameOn(options);
  const literal = search.replaceAll(/[\\%_]/g, '\\$&');
  const isFound = search === '' ? undefined : or(ilike(name, `%${literal}%`), ilike(stockOuts.plu, `${literal}%`));
  const isMarkedBy = (kind: (typeof stockOuts.$inferSelect)['actorKind']) =>
    eq(stockOuts.actorKind, kind).inlineParams();
  return db
    .select({
      storeId: stockOuts.storeId,
      storeName: stores.name,
      plu: stockOuts.plu,
      name,
      categoryId: menuCategories.id,
      categoryName: menuCategories.name,
      until: stockOuts.until,
      markedAt: stockOuts.stockedOutAt,
      markedBy: sql<string | null>`coalesce(${apiKeys.name}, ${users.name})`,
      markedAtTill: sql<boolean>`${isMarkedBy('apiKey')}`,
    })
    .from(stockOuts)
    .innerJoin(stores, and(eq(stores.merchantId, stockOuts.merchantId), eq(stores.id, stockOuts.storeId)))
    .leftJoin(menuItems, isListed(stockOuts.merchantId, stockOuts.plu))
    .leftJoin(options, eq(options.plu, stockOuts.plu))
    .leftJoin(
      menuCategories,
      and(eq(menuCategories.merchantId, menuItems.merchantId), eq(menuCategories.id, menuItems.categoryId)),
    )
    .leftJoin(
      apiKeys,
      and(eq(apiKeys.merchantId, stockOuts.merchantId), eq(apiKeys.id, stockOuts.actorId), isMarkedBy('apiKey')),
    )
    .leftJoin(users, and(eq(users.id, stockOuts.actorId), isMarkedBy('staff')))
    .where(
      and(
        eq(stockOuts.merchantId, merchantId),
        condition,
        ifGiven(storeId, (one) => eq(stockOuts.storeId, one)),
        ifGiven(categoryId, (one) => eq(menuCategories.id, one)),
        isFound,
      ),
    );
}

/**
 * Marks items as sold out at stores. Returns what undoing needs: `added` were available before, `changed` had another
 * time. Errors: `store_not_found`, `invalid_request` for a time in the past, or an item given twice.
 */
export async function markSoldOut(
  ctx: StaffContext,
  { items }: MarkSoldOutInput,
): Promise<{ added: StockOut[]; changed: StockOut[] }> {
  const now = ctx.clock.now();
  if (new Set(items.map(({ storeId, plu }) => `${storeId} ${plu}`)).size < items.length) {
    throw invalid('items', say('itemTwice'));
  }
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const days = await readStoreDays(tx);
    const entries = items.map(({ storeId, plu, until }) => ({
      storeId,
      plu,
      until: timeOf(until, days, storeId, now),
    }));
    await checkStoreIds(tx, storeIdsOf(entries));
    const actor = { kind: 'staff', id: ctx.staff.userId } as const;
    const result = await addStockOuts(tx, entries, { merchant: ctx.merchant, actor, now, setsUntil: true });
    const done = new Set([...result.added, ...result.changed].map(({ storeId, plu }) => `${storeId} ${plu}`));
    const after = entries.filter(({ storeId, plu }) => done.has(`${storeId} ${plu}`));
    await auditByStore(tx, ctx, 'stockOut.add', after, result.changed);
    return result;
  });
}

/**
 * Makes items available again, and returns the previous state of those that were sold out. Errors: `store_not_found`.
 */
export async function restoreSoldOut(
  ctx: StaffContext,
  { items }: RestoreSoldOutInput,
): Promise<{ restored: StockOut[] }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await checkStoreIds(tx, storeIdsOf(items));
    const restored = await removeStockOuts(tx, ctx.merchant, items, ctx.clock.now());
    await auditByStore(tx, ctx, 'stockOut.restore', [], restored);
    return { restored };
  });
}

function timeOf(until: string | null, days: StoreDays, storeId: string, now: Date): Date | null {
  if (until === null) return null;
  if (until === 'tomorrow') return startOfNextDay(now, daysOfStore(days, storeId));
  const time = new Date(until);
  if (time <= now) throw invalid('until', say('notInTheFuture'));
  return time;
}

const storeIdsOf = (entries: { storeId: string }[]) => [...new Set(entries.map(({ storeId }) => storeId))];

/** Writes one audit entry per store. */
async function auditByStore(tx: Tx, ctx: StaffContext, action: string, after: StockOut[], before: StockOut[]) {
  await Promise.all(
    storeIdsOf([...after, ...before]).map((id) => {
      const ofStore = (list: StockOut[]) =>
        list.filter(({ storeId }) => storeId === id).map(({ plu, until }) => ({ plu, until }));
      return auditStaff(tx, ctx, action, { kind: 'store', id }, { before: ofStore(before), after: ofStore(after) });
    }),
  );
}
