import { addMonths, format, parseISO } from 'date-fns';
import { sql } from 'drizzle-orm';
import { dateIn } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import type { BalancePart } from '../ledger';
import { type Books, readBooks } from './books';

type ByPart = Record<BalancePart, number>;

export interface CreditReport {
  /** What remains of credit, by its age in days: from `from` up to `until`; null for the oldest group. */
  ages: ({ from: number; until: number | null } & ByPart)[];
  /**
   * What expires in each of the next twelve months (`YYYY-MM`), the current month first. Credit that is due counts in
   * it.
   */
  months: ({ month: string } & ByPart)[];
  /** What expires later. */
  later: ByPart;
  /** What never expires. */
  never: ByPart;
}

const ageLimits = [30, 90, 180, 365];
const monthsAhead = 12;

/** Reports what customers hold now, by its age and by its expiry, in minor units or points. */
export function creditReport(ctx: StaffContext): Promise<CreditReport> {
  const today = dateIn(ctx.merchant, ctx.clock.now());
  return readBooks(ctx, async (books) => {
    const [byAge, byMonth] = await Promise.all([sumByAge(books, today), sumByMonth(books)]);
    const monthAt = (n: number) => format(addMonths(parseISO(today), n), 'yyyy-MM');
    const months = Array.from({ length: monthsAhead }, (_, n) => monthAt(n));
    const [current = '', end] = [months[0], monthAt(monthsAhead)];
    const sum = (isCounted: (month: string | null) => boolean) =>
      byPart(byMonth.filter(({ month }) => isCounted(month)));
    return {
      ages: [...ageLimits, null].map((until, n) => ({
        from: n === 0 ? 0 : (ageLimits[n - 1] ?? 0) + 1,
        until,
        ...byPart(byAge.filter(({ bucket }) => bucket === n)),
      })),
      months: months.map((month) => ({
        month,
        ...sum((found) => found === month || (month === current && found !== null && found < current)),
      })),
      later: sum((month) => month !== null && month >= end),
      never: sum((month) => month === null),
    };
  });
}

const remainingOf = ({ creditDays }: Books) => sql<number>`sum(${creditDays.remaining})::bigint`;

function sumByAge(books: Books, today: string) {
  const { part, grantedOn } = books.creditDays;
  const limits = sql.raw(ageLimits.map((limit) => limit + 1).join(', '));
  const bucket = sql<number>`width_bucket(${today}::date - ${grantedOn}, array[${limits}])`;
  return books.tx.db
    .select({ part, bucket, remaining: remainingOf(books) })
    .from(books.creditDays)
    .groupBy(part, sql`2`);
}

function sumByMonth(books: Books) {
  const { part, expiresOn } = books.creditDays;
  const month = sql<string | null>`to_char(${expiresOn}, 'YYYY-MM')`;
  return books.tx.db
    .select({ part, month, remaining: remainingOf(books) })
    .from(books.creditDays)
    .groupBy(part, sql`2`);
}

function byPart(sums: { part: BalancePart; remaining: number }[]): ByPart {
  const total = { principal: 0, bonus: 0, points: 0 };
  for (const { part, remaining } of sums) total[part] += remaining;
  return total;
}
