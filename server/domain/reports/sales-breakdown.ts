import { and, between, desc, eq, inArray, max, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Breakdown, SaleDimension } from '@/db/kinds/lists';
import { menuCategories, menuItems, stores } from '@/db/schema';
import { checkStoreIds } from '../merchants';
import { type Books, readBooks } from './books';
import { paymentKey } from './payment-key';
import { daysOf, periodBefore, type ReportContext, untilToday } from './rules';
import type { BreakdownInput, Period, ReportInput, SalesPartInput } from './schemas';

export interface SalesPart {
  /**
   * The PLU, category, hour (`00` to `23`), weekday (1 is Monday), store, payment method (see `wording.ts`),
   * source, tax rate, or the POS's id of its staff. Empty if the POS sent none, or the menu has no such PLU.
   */
  key: string;
  /** The name of the menu's item or category, of the store or method; the bill's name of an item that is not on the menu. */
  label: string;
  /** Items sold, or bills. */
  quantity: number;
  /** Minor units. */
  amount: number;
}

/** A part that the screen shows. */
export interface ShownPart extends SalesPart {
  /** The amount in the period compared with. */
  before: number;
  /** The amounts of at most 31 equal stretches of the period, in order. */
  line: number[];
}

export interface ShownBreakdown {
  parts: ShownPart[];
  /** What the parts that are not shown add up to; null if all are. */
  rest: { count: number; quantity: number; amount: number } | null;
}

export interface DaySales {
  day: string;
  amount: number;
}

export interface BusyHour {
  /** 1 is Monday. */
  weekday: number;
  /** `00` to `23`, of the business day that began on this weekday. */
  hour: string;
  amount: number;
}

const maxParts = 1_000;
const maxShown = 100;
const maxPoints = 31;

/** The stored sums from which each breakdown is read. Every sale is in the sums by hour once. */
const storedIn: Record<Breakdown, SaleDimension> = {
  item: 'item',
  category: 'item',
  hour: 'hour',
  weekday: 'hour',
  store: 'hour',
  payment: 'payment',
  staff: 'staff',
  source: 'source',
  tax: 'tax',
};

/**
 * Breaks the sales that tills sent down, the largest part first, and hours and weekdays in their order. A void is
 * deducted when it was made. Errors: `store_not_found`.
 */
export const salesBreakdown = (ctx: ReportContext, { by, ...input }: BreakdownInput): Promise<SalesPart[]> =>
  readSales(ctx, input, (sales, period) => readParts(sales, by, period));

/** Breaks sales down for the screen: the largest parts with their change and course. Errors: `store_not_found`. */
export function shownBreakdown(ctx: ReportContext, { by, ...input }: BreakdownInput): Promise<ShownBreakdown> {
  return readSales(ctx, input, async (sales, period) => {
    const all = await readParts(sales, by, period);
    const [parts, others] = [all.slice(0, maxShown), all.slice(maxShown)];
    const keys = parts.map(({ key }) => key);
    const [points, before] =
      keys.length === 0
        ? [[], []]
        : await Promise.all([readPoints(sales, by, period, keys), readBefore(sales, by, periodBefore(period), keys)]);
    const pointCount = Math.ceil(daysOf(period).length / stretchOf(period));
    const amountAt = new Map(points.map(({ key, at, amount }) => [`${at} ${key}`, amount]));
    const amountBefore = new Map(before.map(({ key, amount }) => [key, amount]));
    return {
      parts: parts.map((part) => ({
        ...part,
        before: amountBefore.get(part.key) ?? 0,
        line: Array.from({ length: pointCount }, (_, at) => amountAt.get(`${at} ${part.key}`) ?? 0),
      })),
      rest: others.length === 0 ? null : { count: others.length, ...sumParts(others) },
    };
  });
}

/** Returns the sales of one part by day, in the period and in the one compared with. Errors: `store_not_found`. */
export function salesOfPart(
  ctx: ReportContext,
  { by, key, ...input }: SalesPartInput,
): Promise<{ days: DaySales[]; daysBefore: DaySales[] }> {
  return readSales(ctx, input, async (sales, period) => {
    const [days, daysBefore] = await Promise.all([
      readDays(sales, by, key, period),
      readDays(sales, by, key, periodBefore(period)),
    ]);
    return { days, daysBefore };
  });
}

/** Returns sales by weekday and hour, without hours that had none. Errors: `store_not_found`. */
export function busyHours(ctx: ReportContext, input: ReportInput): Promise<BusyHour[]> {
  return readSales(ctx, input, async (sales, period) => {
    const { day, key } = sales.rows;
    const amount = amountOf(sales, period);
    return await sales.tx.db
      .select({ weekday: weekdayOf(day), hour: key, amount })
      .from(sales.rows)
      .where(isOf(sales, 'hour', period))
      .groupBy(sql`1`, key)
      .having(sql`${amount} <> 0`)
      .orderBy(sql`1`, key);
  });
}

/** The sums of sales, with the names of what they are of. PostgreSQL drops the joins whose names are not read. */
function namedSales({ tx: { merchantId, db }, saleDays }: Books) {
  const { dimension, day, storeId, key, label, quantity, amount } = saleDays;
  return db
    .select({
      dimension,
      day,
      storeId,
      key,
      label,
      quantity,
      amount,
      itemName: sql<string | null>`${menuItems.name}`.as('item_name'),
      categoryId: menuItems.categoryId,
      categoryName: sql<string | null>`${menuCategories.name}`.as('category_name'),
      storeName: sql<string | null>`${stores.name}`.as('store_name'),
    })
    .from(saleDays)
    .leftJoin(menuItems, and(eq(menuItems.merchantId, merchantId), eq(menuItems.plu, key)))
    .leftJoin(
      menuCategories,
      and(eq(menuCategories.merchantId, merchantId), eq(menuCategories.id, menuItems.categoryId)),
    )
    .leftJoin(stores, and(eq(stores.merchantId, merchantId), eq(stores.id, storeId)))
    .as('named');
}

type Sales = Pick<Books, 'tx' | 'days'> & { rows: ReturnType<typeof namedSales> };

async function readSales<Input extends ReportInput, Result>(
  ctx: ReportContext,
  input: Input,
  read: (sales: Sales, period: Input) => Promise<Result>,
): Promise<Result> {
  return readBooks(ctx, async (books) => {
    if (input.storeId !== undefined) await checkStoreIds(books.tx, [input.storeId]);
    return read({ tx: books.tx, days: books.days, rows: namedSales(books) }, untilToday(ctx, input));
  });
}

const weekdayOf = (day: SQLWrapper) => sql<number>`extract(isodow from ${day})::int`;

/** The period's sums of a breakdown. The store is no condition, see `filtered`. */
const isOf = ({ rows }: Sales, by: Breakdown, { from, to }: Period) =>
  and(eq(rows.dimension, storedIn[by]).inlineParams(), between(rows.day, from, to));

/** Sums what is of the store. As a condition, the unsummed rows would be searched by store instead of from the last one on. */
const filtered = ({ rows }: Sales, { storeId }: ReportInput, column: SQLWrapper) =>
  sql`coalesce(sum(${column}) filter (where ${storeId === undefined ? sql`true` : eq(rows.storeId, storeId)}), 0)`;

const amountOf = (sales: Sales, input: ReportInput) =>
  sql<number>`${filtered(sales, input, sales.rows.amount)}::bigint`;

function keyOf({ rows: { key, day, storeId, categoryId } }: Sales, by: Breakdown): SQL<string> {
  switch (by) {
    case 'category':
      return sql`coalesce(${categoryId}::text, '')`;
    case 'weekday':
      return sql`${weekdayOf(day)}::text`;
    case 'store':
      return sql`${storeId}::text`;
    case 'payment':
      return paymentKey(key);
    default:
      return sql`${key}`;
  }
}

function labelOf({ rows: { key, label, itemName, categoryName, storeName } }: Sales, by: Breakdown): SQL<string> {
  switch (by) {
    case 'item':
      return sql`coalesce(${max(itemName)}, ${max(label)})`;
    case 'category':
      return sql`coalesce(${max(categoryName)}, '')`;
    case 'store':
      return sql`coalesce(${max(storeName)}, '')`;
    case 'payment':
      return sql`${max(key)}`;
    default:
      return sql`''`;
  }
}

async function readParts(sales: Sales, by: Breakdown, input: ReportInput): Promise<SalesPart[]> {
  const { days } = sales;
  const key = keyOf(sales, by);
  const amount = amountOf(sales, input);
  const quantity = sql<number>`${filtered(sales, input, sales.rows.quantity)}::float8`;
  const startsAt = days.startsAtOfStores.get(input.storeId ?? '') ?? days.dayStartsAt;
  const inDay = sql`(min(${sales.rows.key})::int - ${startsAt}::int + 24) % 24`;
  const order = by === 'hour' ? [inDay] : by === 'weekday' ? [sql`1`] : [desc(amount), sql`1`];
  return await sales.tx.db
    .select({ key, label: labelOf(sales, by), quantity, amount })
    .from(sales.rows)
    .where(isOf(sales, by, input))
    .groupBy(sql`1`)
    .having(sql`${quantity} <> 0 or ${amount} <> 0`)
    .orderBy(...order)
    .limit(maxParts);
}

/** Days per point of a line. */
const stretchOf = (period: Period) => Math.ceil(daysOf(period).length / maxPoints);

async function readPoints(sales: Sales, by: Breakdown, input: ReportInput, keys: string[]) {
  const key = keyOf(sales, by);
  const at = sql<number>`((${sales.rows.day} - ${input.from}::date) / ${stretchOf(input)}::int)`;
  return await sales.tx.db
    .select({ key, at, amount: amountOf(sales, input) })
    .from(sales.rows)
    .where(and(isOf(sales, by, input), inArray(key, keys)))
    .groupBy(sql`1`, sql`2`);
}

async function readBefore(sales: Sales, by: Breakdown, input: ReportInput, keys: string[]) {
  const key = keyOf(sales, by);
  return await sales.tx.db
    .select({ key, amount: amountOf(sales, input) })
    .from(sales.rows)
    .where(and(isOf(sales, by, input), inArray(key, keys)))
    .groupBy(sql`1`);
}

async function readDays(sales: Sales, by: Breakdown, key: string, input: ReportInput): Promise<DaySales[]> {
  const rows = await sales.tx.db
    .select({ day: sql<string>`${sales.rows.day}::text`, amount: amountOf(sales, input) })
    .from(sales.rows)
    .where(and(isOf(sales, by, input), eq(keyOf(sales, by), key)))
    .groupBy(sql`1`);
  const byDay = new Map(rows.map(({ day, amount }) => [day, amount]));
  return daysOf(input).map((day) => ({ day, amount: byDay.get(day) ?? 0 }));
}

function sumParts(parts: SalesPart[]): { quantity: number; amount: number } {
  const add = (name: 'quantity' | 'amount') => parts.reduce((sum, part) => sum + part[name], 0);
  return { quantity: add('quantity'), amount: add('amount') };
}
