import { and, between, eq, max, sql } from 'drizzle-orm';
import { type BookedType, stores } from '@/db/schema';
import { ifGiven } from '../kernel/page';
import { checkStoreIds } from '../merchants';
import { type Books, readBooks } from './books';
import { daysOf, periodBefore, type ReportContext, untilToday } from './rules';
import type { Period, ReportInput } from './schemas';

/** Counts and amounts by transaction type: net, and gross before voids and refunds. */
const columns = {
  sale: ['saleCount', 'sales', 'grossSaleCount', 'grossSales'],
  topUp: ['topUpCount', 'topUps', 'grossTopUpCount', 'grossTopUps'],
  redeemStoredValue: ['redemptionCount', 'redemptions', 'grossRedemptionCount', 'grossRedemptions'],
  redeemPoints: ['pointsRedemptionCount', 'pointsRedeemed', 'grossPointsRedemptionCount', 'grossPointsRedeemed'],
  redeemVoucher: ['voucherCount', 'discount', 'grossVoucherCount', 'grossDiscount'],
} as const satisfies Record<BookedType, readonly [count: string, amount: string, grossCount: string, gross: string]>;

/**
 * Counts with amounts: minor units, or points. Net and gross differ by what was voided or refunded, on the day when it
 * was, unless it corrects a sale. Top-ups are what customers paid, less cash-outs.
 */
export type Takings = Record<(typeof columns)[BookedType][number], number>;

/** `changedAt` is when something was last recorded that counts on the day, after the day; null if nothing was. */
export type DayTakings = Takings & { day: string; changedAt: Date | null };
/** Null without a store: paid online. */
export type StoreTakings = Takings & { storeId: string | null; storeName: string | null };

export interface SalesReport extends Period {
  /** Every day of the period. */
  days: DayTakings[];
  /** Takings outside of stores come last. */
  stores: StoreTakings[];
  total: Takings;
  /** In the period compared with. */
  before: Takings;
  daysBefore: DayTakings[];
}

/** Reports sales, top-ups and redemptions by day and by store. Errors: `store_not_found`. */
export function salesReport(ctx: ReportContext, input: ReportInput): Promise<SalesReport> {
  const period = untilToday(ctx, input);
  return readBooks(ctx, async (books) => {
    if (input.storeId !== undefined) await checkStoreIds(books.tx, [input.storeId]);
    const [sums, daysBefore, names] = await Promise.all([
      sumTakings(books, period, 'day or store'),
      takingsByDay(books, periodBefore(period)),
      storeNames(books),
    ]);
    const days = everyDay(period, sums);
    const stores = pivot(sums, ({ day, storeId }) => (day === null ? `${storeId}` : null))
      .map(({ storeId, takings }) => ({ storeId, storeName: names.get(storeId) ?? null, ...takings }))
      .sort(byStoreName);
    const [total, before] = [days, daysBefore].map(addTakings) as [Takings, Takings];
    return { from: period.from, to: period.to, days, stores, total, before, daysBefore };
  });
}

/** Reports takings by day and store, without days and stores that have none. */
export function salesByDayAndStore(ctx: ReportContext, input: ReportInput): Promise<(DayTakings & StoreTakings)[]> {
  const period = untilToday(ctx, input);
  return readBooks(ctx, async (books) => {
    if (input.storeId !== undefined) await checkStoreIds(books.tx, [input.storeId]);
    const [sums, names] = await Promise.all([sumTakings(books, period, 'day and store'), storeNames(books)]);
    return pivot(sums, ({ day, storeId }) => `${day} ${storeId}`)
      .map(({ day, storeId, takings, changedAt }) => ({
        day: day ?? '',
        changedAt,
        storeId,
        storeName: names.get(storeId) ?? null,
        ...takings,
      }))
      .sort((a, b) => a.day.localeCompare(b.day) || byStoreName(a, b));
  });
}

function byStoreName(a: { storeName: string | null }, b: { storeName: string | null }): number {
  if (a.storeName === null || b.storeName === null) return Number(a.storeName === null) - Number(b.storeName === null);
  return a.storeName.localeCompare(b.storeName);
}

/** Returns every day of the period. */
export const takingsByDay = async (books: Books, period: ReportInput): Promise<DayTakings[]> =>
  everyDay(period, await sumTakings(books, period, 'day or store'));

function everyDay(period: ReportInput, sums: Sum[]): DayTakings[] {
  const byDay = new Map(
    pivot(sums, ({ day }) => day).map(({ day, takings, changedAt }) => [day, { ...takings, changedAt }]),
  );
  return daysOf(period).map((day) => ({ day, ...(byDay.get(day) ?? { ...noTakings, changedAt: null }) }));
}

async function sumTakings(
  { tx, transactionDays }: Books,
  { from, to, storeId }: ReportInput,
  by: 'day or store' | 'day and store',
) {
  const { day, storeId: ofStore, type, count, amount, grossCount, gross, changedAt } = transactionDays;
  const sets =
    by === 'day or store' ? sql`(${day}, ${type}), (${ofStore}, ${type})` : sql`(${day}, ${ofStore}, ${type})`;
  return tx.db
    .select({
      /** Null in the sums over all days. */
      day: sql<string | null>`${day}::text`,
      /** Null in the sums over all stores, and outside of stores. */
      storeId: ofStore,
      type,
      count: sql<number>`sum(${count})::int`,
      amount: sql<number>`sum(${amount})::bigint`,
      grossCount: sql<number>`sum(${grossCount})::int`,
      gross: sql<number>`sum(${gross})::bigint`,
      changedAt: max(changedAt),
    })
    .from(transactionDays)
    .where(
      and(
        between(day, from, to),
        ifGiven(storeId, (one) => eq(ofStore, one)),
      ),
    )
    .groupBy(sql`grouping sets (${sets})`);
}

type Sum = Awaited<ReturnType<typeof sumTakings>>[number];

async function storeNames({ tx: { merchantId, db } }: Books): Promise<Map<string | null, string>> {
  const { id, name } = stores;
  const rows = await db.select({ id, name }).from(stores).where(eq(stores.merchantId, merchantId));
  return new Map(rows.map((store) => [store.id, store.name]));
}

const noTakings = Object.fromEntries(
  Object.values(columns).flatMap((names) => names.map((name) => [name, 0])),
) as Takings;

/** Groups sums by key, and drops those without one. */
function pivot(sums: Sum[], keyOf: (sum: Sum) => string | null) {
  const rows = new Map<
    string,
    { day: string | null; storeId: string | null; takings: Takings; changedAt: Date | null }
  >();
  for (const one of sums) {
    const key = keyOf(one);
    if (key === null) continue;
    const row = rows.get(key) ?? { day: one.day, storeId: one.storeId, takings: { ...noTakings }, changedAt: null };
    const [count, amount, grossCount, gross] = columns[one.type];
    row.takings[count] += one.count;
    row.takings[amount] += one.amount;
    row.takings[grossCount] += one.grossCount;
    row.takings[gross] += one.gross;
    if (one.changedAt && (!row.changedAt || one.changedAt > row.changedAt)) row.changedAt = one.changedAt;
    rows.set(key, row);
  }
  return [...rows.values()];
}

function addTakings(rows: Takings[]): Takings {
  const total = { ...noTakings };
  for (const row of rows) for (const key of Object.keys(total) as (keyof Takings)[]) total[key] += row[key];
  return total;
}
