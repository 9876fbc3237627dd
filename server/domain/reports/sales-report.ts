import { and, between, eq, max, sql } from 'drizzle-orm';
import { type BookedType, stores } from '@/db/schema';
import { ifGiven } from '../kernel/page';
import { checkStoreIds } from '../merchants';
import { type Books, readBooks } from './books';
import { daysOf, periodBefore, type ReportContext, untilToday } from './rules';
import type { Period, ReportInput } from './schemas';

/** Counts with amounts: minor units, or points. A void is deducted on its own day, unless it corrects a sale. */
export interface Takings {
  saleCount: number;
  sales: number;
  topUpCount: number;
  /** The amount that customers paid. */
  topUps: number;
  redemptionCount: number;
  /** Redeemed stored value. */
  redemptions: number;
  pointsRedemptionCount: number;
  pointsRedeemed: number;
  voucherCount: number;
  discount: number;
}

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
  /** In the same number of days before the period. */
  before: Takings;
}

/** Reports sales, top-ups and redemptions by day and by store. Errors: `store_not_found`. */
export function salesReport(ctx: ReportContext, input: ReportInput): Promise<SalesReport> {
  const period = untilToday(ctx, input);
  return readBooks(ctx, async (books) => {
    if (input.storeId !== undefined) await checkStoreIds(books.tx, [input.storeId]);
    const [sums, before, names] = await Promise.all([
      sumTakings(books, period, 'day or store'),
      takingsByDay(books, periodBefore(period)),
      storeNames(books),
    ]);
    const days = everyDay(period, sums);
    const stores = pivot(sums, ({ day, storeId }) => (day === null ? `${storeId}` : null))
      .map(({ storeId, takings }) => ({ storeId, storeName: names.get(storeId) ?? null, ...takings }))
      .sort(byStoreName);
    return { from: period.from, to: period.to, days, stores, total: addTakings(days), before: addTakings(before) };
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
  const { day, storeId: ofStore, type, count, amount, changedAt } = transactionDays;
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

const noTakings: Takings = {
  saleCount: 0,
  sales: 0,
  topUpCount: 0,
  topUps: 0,
  redemptionCount: 0,
  redemptions: 0,
  pointsRedemptionCount: 0,
  pointsRedeemed: 0,
  voucherCount: 0,
  discount: 0,
};

/** The columns with each type's sums. */
const columns = {
  sale: ['saleCount', 'sales'],
  topUp: ['topUpCount', 'topUps'],
  redeemStoredValue: ['redemptionCount', 'redemptions'],
  redeemPoints: ['pointsRedemptionCount', 'pointsRedeemed'],
  redeemVoucher: ['voucherCount', 'discount'],
} as const satisfies Record<BookedType, readonly [keyof Takings, keyof Takings]>;

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
    const [count, amount] = columns[one.type];
    row.takings[count] += one.count;
    row.takings[amount] += one.amount;
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
