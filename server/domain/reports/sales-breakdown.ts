import { and, between, desc, eq, type SQLWrapper, sql } from 'drizzle-orm';
import type { StaffContext } from '../kernel/context';
import { checkStoreIds } from '../merchants';
import { readBooks } from './books';
import { untilToday } from './rules';
import type { BreakdownInput } from './schemas';

export interface SalesPart {
  /** The PLU, the hour (`00` to `23`), the payment method, or the POS's id of its staff (empty if it sent none). */
  key: string;
  /** The item's name on the bill; otherwise empty. */
  label: string;
  /** Items sold, or bills. */
  quantity: number;
  /** Minor units. */
  amount: number;
}

const maxParts = 1_000;

/**
 * Breaks the sales that tills sent down by item, hour, payment method or staff, the largest first, and hours in the
 * order of the business day.
 * A void is deducted when it was made. Errors: `store_not_found`.
 */
export function salesBreakdown(ctx: StaffContext, { by, ...input }: BreakdownInput): Promise<SalesPart[]> {
  const { from, to, storeId } = untilToday(ctx, input);
  return readBooks(ctx, async ({ tx, saleDays, days }) => {
    if (storeId !== undefined) await checkStoreIds(tx, [storeId]);
    const { key, label, day, dimension } = saleDays;
    // Not a condition, because the unsummed rows would then be searched by store instead of from the last summed one
    // on.
    const isCounted = storeId === undefined ? sql`true` : eq(saleDays.storeId, storeId);
    const sumOf = (column: SQLWrapper) => sql`coalesce(sum(${column}) filter (where ${isCounted}), 0)`;
    const [quantity, amount] = [sumOf(saleDays.quantity), sumOf(saleDays.amount)];
    const startsAt = days.startsAtOfStores.get(storeId ?? '') ?? days.dayStartsAt;
    const inDay = sql`(${key}::int - ${startsAt}::int + 24) % 24`;
    return await tx.db
      .select({
        key,
        label: by === 'item' ? sql<string>`max(${label})` : sql<string>`''`,
        quantity: sql<number>`${quantity}::float8`,
        amount: sql<number>`${amount}::bigint`,
      })
      .from(saleDays)
      .where(and(eq(dimension, by).inlineParams(), between(day, from, to)))
      .groupBy(key)
      .having(sql`${quantity} <> 0 or ${amount} <> 0`)
      .orderBy(...(by === 'hour' ? [inDay] : [desc(amount), key]))
      .limit(maxParts);
  });
}
