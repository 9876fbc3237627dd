import type { Fragment } from '@/db/client';
import { checkStoreIds } from '../merchants/store';
import type { StaffContext } from '../staff/context';
import { type Books, readBooks } from './books';
import { daysOf, untilToday } from './period';
import type { ReportInput } from './schemas';

/** What was booked; signed: what customers held grew or shrank by it. */
interface Booked {
  granted: number;
  spent: number;
  voided: number;
  expired: number;
  adjusted: number;
}

/** `closing` is `opening` and all that was booked in between. */
export interface Movement extends Booked {
  opening: number;
  closing: number;
}

export interface StoreMovement<Part extends string> extends Movement {
  /** Null: what no store did. */
  storeId: string | null;
  storeName: string | null;
  part: Part;
}

export interface LedgerReport<Part extends string> {
  /** As it was read: without the days to come. */
  from: string;
  to: string;
  /** By store and part; what no store did comes last. A store's closing is what it granted, less what was spent there. */
  stores: StoreMovement<Part>[];
  total: Record<Part, Movement>;
  /** Every day of the period. */
  days: ({ day: string } & Record<Part, Movement>)[];
}

/**
 * The stored value that the merchant owes its customers, in minor units, and what it came from. Errors:
 * `store_not_found`.
 */
export const liabilityReport = (ctx: StaffContext, input: ReportInput) =>
  ledgerReport(ctx, input, ['principal', 'bonus']);

/** The same of points. */
export const pointsReport = (ctx: StaffContext, input: ReportInput) => ledgerReport(ctx, input, ['points']);

function ledgerReport<Part extends string>(ctx: StaffContext, input: ReportInput, parts: Part[]) {
  const period = untilToday(ctx, input);
  return readBooks(ctx, async (books): Promise<LedgerReport<Part>> => {
    if (input.storeId !== undefined) await checkStoreIds(books.tx, [input.storeId]);
    const [stores, changes] = await Promise.all([byStore<Part>(books, period, parts), byDay(books, period, parts)]);
    const total = each(parts, (part) => sumOf(stores.filter((store) => store.part === part)));
    const days = closings(period, parts, total, changes);
    return { from: period.from, to: period.to, stores, total, days };
  });
}

const inBooks = ({ tx: { sql }, ledgerDays }: Books, { to, storeId }: ReportInput, parts: string[]): Fragment => sql`
  (${ledgerDays}) d where d.day <= ${to} and d.part = any(${parts}::balance_part[])
    and ${storeId === undefined ? sql`true` : sql`d.store_id = ${storeId}`}`;

async function byStore<Part extends string>(books: Books, input: ReportInput, parts: Part[]) {
  const { merchantId, sql } = books.tx;
  const booked = (column: string) =>
    sql`coalesce(sum(${sql.unsafe(column)}) filter (where day >= ${input.from}), 0)::bigint as ${sql.unsafe(column)}`;
  const rows = await sql<(Booked & Pick<StoreMovement<Part>, 'storeId' | 'storeName' | 'part' | 'opening'>)[]>`
    select f.store_id as "storeId", s.name as "storeName", f.part, f.opening, f.granted, f.spent, f.voided, f.expired,
      f.adjusted
    from (
      select store_id, part,
        coalesce(sum(granted + spent + voided + expired + adjusted) filter (where day < ${input.from}), 0)::bigint as opening,
        ${booked('granted')}, ${booked('spent')}, ${booked('voided')}, ${booked('expired')}, ${booked('adjusted')}
      from ${inBooks(books, input, parts)} group by store_id, part
    ) f left join stores s on s.merchant_id = ${merchantId} and s.id = f.store_id
    order by s.name, f.store_id, f.part`;
  return rows.map((row): StoreMovement<Part> => ({ ...row, closing: closingOf(row) }));
}

async function byDay(books: Books, input: ReportInput, parts: string[]) {
  const { sql } = books.tx;
  return sql<(Booked & { day: string; part: string })[]>`
    select d.day::text as day, d.part, sum(granted)::bigint as granted, sum(spent)::bigint as spent,
      sum(voided)::bigint as voided, sum(expired)::bigint as expired, sum(adjusted)::bigint as adjusted
    from ${inBooks(books, input, parts)} and d.day >= ${input.from} group by d.day, d.part`;
}

/** Every day from what was there before and what was booked on it. */
function closings<Part extends string>(
  period: ReportInput,
  parts: Part[],
  total: Record<Part, Movement>,
  changes: readonly (Booked & { day: string; part: string })[],
): LedgerReport<Part>['days'] {
  const changeOf = new Map(changes.map((change) => [`${change.day} ${change.part}`, change]));
  const held = each(parts, (part) => total[part].opening);
  return daysOf(period).map((day) => {
    const movements = each(parts, (part) => {
      const { granted, spent, voided, expired, adjusted } = changeOf.get(`${day} ${part}`) ?? nothing;
      const row = { opening: held[part], granted, spent, voided, expired, adjusted };
      held[part] = closingOf(row);
      return { ...row, closing: held[part] };
    });
    return { day, ...movements };
  });
}

const nothing: Booked = { granted: 0, spent: 0, voided: 0, expired: 0, adjusted: 0 };

const closingOf = ({ opening, granted, spent, voided, expired, adjusted }: Booked & { opening: number }) =>
  opening + granted + spent + voided + expired + adjusted;

const each = <Part extends string, Value>(parts: Part[], value: (part: Part) => Value) =>
  Object.fromEntries(parts.map((part) => [part, value(part)])) as Record<Part, Value>;

function sumOf(movements: Movement[]): Movement {
  const add = (key: keyof Movement) => movements.reduce((sum, movement) => sum + movement[key], 0);
  return {
    opening: add('opening'),
    granted: add('granted'),
    spent: add('spent'),
    voided: add('voided'),
    expired: add('expired'),
    adjusted: add('adjusted'),
    closing: add('closing'),
  };
}
