import { and, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { anyOf } from '@/db/query/expressions';
import { stores } from '@/db/schema';
import { ifGiven } from '../kernel/page';
import type { BalancePart } from '../ledger';
import { checkStoreIds } from '../merchants';
import { type Books, changeOf, readBooks } from './books';
import { daysOf, periodBefore, type ReportContext, untilToday } from './rules';
import type { ReportInput } from './schemas';

/**
 * The recorded change of what customers held, positive or negative. A void reduces what it reverses, on its own day.
 */
interface Booked {
  granted: number;
  spent: number;
  expired: number;
  adjusted: number;
}

/** `closing` is `opening` plus everything recorded in between. */
export interface Movement extends Booked {
  opening: number;
  closing: number;
}

export interface StoreMovement<Part extends string> extends Movement {
  /** Null for changes outside of stores. */
  storeId: string | null;
  storeName: string | null;
  part: Part;
}

export interface LedgerReport<Part extends string> {
  /** The period as read, without future days. */
  from: string;
  to: string;
  /**
   * By store and part; changes outside of stores come last. A store's closing is what it granted, less what was spent
   * there.
   */
  stores: StoreMovement<Part>[];
  total: Record<Part, Movement>;
  /** In the same number of days before the period. */
  before: Record<Part, Booked>;
  /** Every day of the period. */
  days: ({ day: string } & Record<Part, Movement>)[];
}

/** Reports the merchant's stored-value liability, in minor units, and its changes. Errors: `store_not_found`. */
export const liabilityReport = (ctx: ReportContext, input: ReportInput) =>
  ledgerReport(ctx, input, ['principal', 'bonus']);

/** Reports points, like `liabilityReport`. */
export const pointsReport = (ctx: ReportContext, input: ReportInput) => ledgerReport(ctx, input, ['points']);

function ledgerReport<Part extends BalancePart>(ctx: ReportContext, input: ReportInput, parts: Part[]) {
  const period = untilToday(ctx, input);
  return readBooks(ctx, async (books): Promise<LedgerReport<Part>> => {
    if (input.storeId !== undefined) await checkStoreIds(books.tx, [input.storeId]);
    const [stores, changes, before] = await Promise.all([
      byStore<Part>(books, period, parts),
      byDay(books, period, parts),
      byDay(books, periodBefore(period), parts),
    ]);
    const total = each(parts, (part) => {
      const own = stores.filter((store) => store.part === part);
      const opening = own.reduce((sum, store) => sum + store.opening, 0);
      const booked = sumOf(own);
      return { opening, ...booked, closing: closingOf({ opening, ...booked }) };
    });
    const days = closings(period, parts, total, changes);
    const totalBefore = each(parts, (part) => sumOf(before.filter((change) => change.part === part)));
    return { from: period.from, to: period.to, stores, total, before: totalBefore, days };
  });
}

const isAsked = ({ ledgerDays }: Books, { to, storeId }: ReportInput, parts: BalancePart[]) =>
  and(
    lte(ledgerDays.day, to),
    anyOf(ledgerDays.part, parts),
    ifGiven(storeId, (one) => eq(ledgerDays.storeId, one)),
  );

/** Names each sum of the books. */
const booked = (
  { ledgerDays: { granted, spent, expired, adjusted } }: Books,
  sumOf: (column: PgColumn) => SQL<number>,
) => ({
  granted: sumOf(granted).as('granted'),
  spent: sumOf(spent).as('spent'),
  expired: sumOf(expired).as('expired'),
  adjusted: sumOf(adjusted).as('adjusted'),
});

async function byStore<Part extends BalancePart>(books: Books, input: ReportInput, parts: Part[]) {
  const { merchantId, db } = books.tx;
  const { day, storeId, part } = books.ledgerDays;
  const sumOf = (summed: PgColumn | SQL, isCounted: SQL) =>
    sql<number>`coalesce(sum(${summed}) filter (where ${isCounted}), 0)::bigint`;
  const movements = db
    .select({
      storeId,
      part: sql<Part>`${part}`.as('part'),
      opening: sumOf(changeOf(books.ledgerDays), lt(day, input.from)).as('opening'),
      ...booked(books, (column) => sumOf(column, gte(day, input.from))),
    })
    .from(books.ledgerDays)
    .where(isAsked(books, input, parts))
    .groupBy(storeId, part)
    .as('movements');
  const { storeId: ofStore, ...movement } = movements._.selectedFields;
  const rows = await db
    .select({ storeId: ofStore, storeName: stores.name, ...movement })
    .from(movements)
    .leftJoin(stores, and(eq(stores.merchantId, merchantId), eq(stores.id, ofStore)))
    .orderBy(stores.name, ofStore, movements.part);
  return rows.map((row): StoreMovement<Part> => ({ ...row, closing: closingOf(row) }));
}

const byDay = (books: Books, input: ReportInput, parts: BalancePart[]) =>
  books.tx.db
    .select({
      day: books.ledgerDays.day,
      part: books.ledgerDays.part,
      ...booked(books, (column) => sql`sum(${column})::bigint`),
    })
    .from(books.ledgerDays)
    .where(and(isAsked(books, input, parts), gte(books.ledgerDays.day, input.from)))
    .groupBy(books.ledgerDays.day, books.ledgerDays.part);

/** Computes each day's closing from its opening and what was recorded on that day. */
function closings<Part extends BalancePart>(
  period: ReportInput,
  parts: Part[],
  total: Record<Part, Movement>,
  changes: readonly (Booked & { day: string; part: string })[],
): LedgerReport<Part>['days'] {
  const changeOf = new Map(changes.map((change) => [`${change.day} ${change.part}`, change]));
  const held = each(parts, (part) => total[part].opening);
  return daysOf(period).map((day) => {
    const movements = each(parts, (part) => {
      const { granted, spent, expired, adjusted } = changeOf.get(`${day} ${part}`) ?? nothing;
      const row = { opening: held[part], granted, spent, expired, adjusted };
      held[part] = closingOf(row);
      return { ...row, closing: held[part] };
    });
    return { day, ...movements };
  });
}

const nothing: Booked = { granted: 0, spent: 0, expired: 0, adjusted: 0 };

const closingOf = ({ opening, granted, spent, expired, adjusted }: Booked & { opening: number }) =>
  opening + granted + spent + expired + adjusted;

const each = <Part extends string, Value>(parts: Part[], value: (part: Part) => Value) =>
  Object.fromEntries(parts.map((part) => [part, value(part)])) as Record<Part, Value>;

function sumOf(changes: Booked[]): Booked {
  const add = (key: keyof Booked) => changes.reduce((sum, change) => sum + change[key], 0);
  return { granted: add('granted'), spent: add('spent'), expired: add('expired'), adjusted: add('adjusted') };
}
