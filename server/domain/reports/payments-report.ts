/** What diners paid by card at their tables. It is a part of the sales that tills send. */

import { and, between, eq, sql } from 'drizzle-orm';
import { type Tx, withSnapshot } from '@/db/driver';
import { billPayments, bills, stores } from '@/db/schema';
import { addToDate, endOfDate, startOfDate } from '../kernel/calendar';
import { ifGiven } from '../kernel/page';
import { checkStoreIds, readStoreDays } from '../merchants';
import { storeDateAt } from './facts';
import { daysOf, periodBefore, type ReportContext, untilToday } from './rules';
import type { Period, ReportInput } from './schemas';

/** Payments that were taken on a day, less what was returned of them later. Minor units. */
interface Payments {
  paymentCount: number;
  /** The amounts that count on bills. */
  payments: number;
  tips: number;
  returned: number;
}

type DayPayments = Payments & { day: string };
type StorePayments = Payments & { storeId: string; storeName: string };

export interface PaymentsReport extends Period {
  /** Every day of the period. */
  days: DayPayments[];
  stores: StorePayments[];
  total: Payments;
  /** In the same number of days before the period. */
  before: Payments;
}

/** Reports card payments and tips by day and by store. Errors: `store_not_found`. */
export async function paymentsReport(ctx: ReportContext, input: ReportInput): Promise<PaymentsReport> {
  const period = untilToday(ctx, input);
  return withSnapshot(ctx.db, ctx.merchant.id, async (tx) => {
    if (input.storeId !== undefined) await checkStoreIds(tx, [input.storeId]);
    const [rows, before] = await Promise.all([
      sumPayments(tx, ctx, period),
      sumPayments(tx, ctx, periodBefore(period)),
    ]);
    const days = daysOf(period).map((day) => ({ day, ...addPayments(rows.filter((row) => row.day === day)) }));
    const names = new Map(rows.map(({ storeId, storeName }) => [storeId, storeName]));
    const byStore = [...names].map(([storeId, storeName]) => ({
      storeId,
      storeName,
      ...addPayments(rows.filter((row) => row.storeId === storeId)),
    }));
    return {
      from: period.from,
      to: period.to,
      days,
      stores: byStore,
      total: addPayments(rows),
      before: addPayments(before),
    };
  });
}

/** Reports payments by day and store, without days and stores that have none. */
export async function paymentsByDayAndStore(
  ctx: ReportContext,
  input: ReportInput,
): Promise<(DayPayments & StorePayments)[]> {
  const period = untilToday(ctx, input);
  return withSnapshot(ctx.db, ctx.merchant.id, async (tx) => {
    if (input.storeId !== undefined) await checkStoreIds(tx, [input.storeId]);
    return sumPayments(tx, ctx, period);
  });
}

async function sumPayments(tx: Tx, { merchant }: ReportContext, { from, to, storeId }: ReportInput) {
  const { merchantId, db } = tx;
  const day = storeDateAt(billPayments.takenAt, await readStoreDays(tx), bills.storeId);
  const { amount, tip, keptAmount, keptTip, takenAt } = billPayments;
  return db
    .select({
      day: sql<string>`${day}::text`,
      storeId: stores.id,
      storeName: stores.name,
      paymentCount: sql<number>`(count(*) filter (where ${keptAmount} + ${keptTip} > 0))::int`,
      payments: sql<number>`sum(${keptAmount})::bigint`,
      tips: sql<number>`sum(${keptTip})::bigint`,
      returned: sql<number>`sum(${amount} + ${tip} - ${keptAmount} - ${keptTip})::bigint`,
    })
    .from(billPayments)
    .innerJoin(bills, and(eq(bills.merchantId, billPayments.merchantId), eq(bills.id, billPayments.billUid)))
    .innerJoin(stores, and(eq(stores.merchantId, bills.merchantId), eq(stores.id, bills.storeId)))
    .where(
      and(
        eq(billPayments.merchantId, merchantId),
        eq(billPayments.state, 'taken').inlineParams(),
        // A store's day may start some hours before or after the merchant's.
        between(takenAt, startOfDate(addToDate(from, -1), merchant), endOfDate(addToDate(to, 1), merchant)),
        between(day, from, to),
        ifGiven(storeId, (one) => eq(bills.storeId, one)),
      ),
    )
    .groupBy(sql`1`, stores.id, stores.name)
    .orderBy(sql`1`, stores.name);
}

function addPayments(rows: Payments[]): Payments {
  const total = { paymentCount: 0, payments: 0, tips: 0, returned: 0 };
  for (const row of rows) for (const key of Object.keys(total) as (keyof Payments)[]) total[key] += row[key];
  return total;
}
