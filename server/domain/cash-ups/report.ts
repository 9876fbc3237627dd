import { and, asc, between, count, eq, sql } from 'drizzle-orm';
import { type Tx, withSnapshot } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { cashUpCounts, cashUps, stores, users } from '@/db/schema';
import { addToDate, dateIn, daysOfStore, endOfDate, startOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { ifGiven } from '../kernel/page';
import { checkStoreIds, readStoreDays } from '../merchants';
import { storeDateAt } from '../reports';
import { type MovementKind, moved, selectMoney, selectValue } from './movements';
import type { CashUpDayInput, PaymentMethod } from './schemas';

/** What one person did on a day in one store. */
export interface CashUpLine {
  userId: string;
  name: string;
  /** Null for adjustments, which belong to no store. */
  storeId: string | null;
  storeName: string | null;
  kind: MovementKind;
  /** Null if no money changed hands. */
  method: PaymentMethod | null;
  count: number;
  /** Minor units, signed: positive for what came in, or was added to balances. */
  amount: number;
}

interface Count {
  method: PaymentMethod;
  expected: number;
  counted: number;
}

export interface ClosedShift {
  cashUpId: string;
  storeId: string;
  storeName: string;
  since: Date;
  until: Date;
  closedBy: string;
  closedAt: Date;
  /** The cash-up that this one corrects, and why; null for the first of a shift. */
  replacesId: string | null;
  reason: string | null;
  counts: Count[];
}

export interface CashUpDay {
  lines: CashUpLine[];
  /** Those that ended on the day, in the order of their making; none for cashiers. */
  closed: ClosedShift[];
}

/**
 * Reports what staff took, paid out and gave on a business day, by person, store and payment method. Cashiers see only
 * what is theirs. Errors: `store_not_found`.
 */
export function cashUpDay(ctx: StaffContext, input: CashUpDayInput): Promise<CashUpDay> {
  return withSnapshot(ctx.db, ctx.merchant.id, async (tx) => {
    if (input.storeId !== undefined) await checkStoreIds(tx, [input.storeId]);
    const [lines, closed] = await Promise.all([
      readDayLines(tx, ctx, input),
      ctx.staff.role === 'cashier' ? [] : readClosed(tx, ctx, input),
    ]);
    return { lines, closed };
  });
}

/** A store's day may start some hours before or after the merchant's. */
const around = ({ merchant }: StaffContext, day: string) => ({
  from: startOfDate(addToDate(day, -1), merchant),
  until: endOfDate(addToDate(day, 1), merchant),
});

async function readDayLines(tx: Tx, ctx: StaffContext, { day, storeId }: CashUpDayInput): Promise<CashUpLine[]> {
  const span = around(ctx, day);
  const days = await readStoreDays(tx);
  const { staff, db } = ctx;
  const read = (movements: ReturnType<typeof selectMoney>) =>
    tx.db
      .select({
        userId: users.id,
        name: users.name,
        storeId: moved.storeId,
        storeName: sql<string | null>`${stores.name}`,
        kind: moved.kind,
        method: moved.method,
        count: count(),
        amount: sql<number>`sum(${moved.amount})::bigint`,
      })
      .from(movements)
      .innerJoin(users, eq(users.id, moved.userId))
      .leftJoin(stores, and(eq(stores.merchantId, tx.merchantId), sql`${stores.id} = ${moved.storeId}`))
      .where(
        and(
          sql`${storeDateAt(moved.at, days, moved.storeId)} = ${day}::date`,
          ifGiven(storeId, (one) => eq(moved.storeId, one)),
          // Adjustments belong to no store.
          db.stores ? sql`${moved.storeId} is not null` : undefined,
          staff.role === 'cashier' ? eq(users.id, staff.userId) : undefined,
        ),
      )
      .groupBy(users.id, users.name, moved.storeId, stores.name, moved.kind, moved.method)
      .orderBy(asc(users.name), users.id, asc(stores.name), moved.kind, moved.method);
  const [money, value] = await Promise.all([read(selectMoney(tx, span)), read(selectValue(tx, span))]);
  return [...money, ...value];
}

async function readClosed(tx: Tx, ctx: StaffContext, { day, storeId }: CashUpDayInput): Promise<ClosedShift[]> {
  const { merchantId, db } = tx;
  const { from, until } = around(ctx, day);
  const [rows, days] = await Promise.all([
    db
      .select({
        cashUpId: cashUps.id,
        storeId: cashUps.storeId,
        storeName: stores.name,
        since: cashUps.since,
        until: cashUps.until,
        closedBy: users.name,
        closedAt: cashUps.createdAt,
        replacesId: cashUps.replacesId,
        reason: cashUps.reason,
      })
      .from(cashUps)
      .innerJoin(stores, and(eq(stores.merchantId, cashUps.merchantId), eq(stores.id, cashUps.storeId)))
      .innerJoin(users, eq(users.id, cashUps.userId))
      .where(
        and(
          eq(cashUps.merchantId, merchantId),
          between(cashUps.until, from, until),
          ifGiven(storeId, (one) => eq(cashUps.storeId, one)),
        ),
      )
      .orderBy(cashUps.until, cashUps.createdAt, cashUps.id),
    readStoreDays(tx),
  ]);
  const ofDay = rows.filter((row) => dateIn(daysOfStore(days, row.storeId), row.until) === day);
  const ids = ofDay.map(({ cashUpId }) => cashUpId);
  const counts = await db
    .select()
    .from(cashUpCounts)
    .where(and(eq(cashUpCounts.merchantId, merchantId), anyOf(cashUpCounts.cashUpId, ids)));
  return ofDay.map((row) => ({
    ...row,
    counts: counts.flatMap(({ cashUpId, paymentMethod: method, expected, counted }) =>
      cashUpId === row.cashUpId ? [{ method, expected, counted }] : [],
    ),
  }));
}
