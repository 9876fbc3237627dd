import { and, between, eq, exists, gt, isNotNull, lte, ne, not, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { only } from '@/db/query/queries';
import { type BookedType, isLateSale, lateSaleMinutes, transactions } from '@/db/schema';
import { addToDate, dateIn, daysBefore, type StoreDays, startOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { firstIdAt } from '../kernel/ids';
import type { BalancePart } from '../ledger';
import { type Books, changeOf, readBooks } from './books';
import { isCorrectedBy, records, reversalsOfDay, storeDateAt } from './facts';
import { type FirstSteps, readFirstSteps } from './first-steps';
import { type DayTakings, takingsByDay } from './sales-report';

/** Counts and amounts in minor units, as in the sales report: net, and gross before voids and refunds. */
export interface Figures {
  saleCount: number;
  sales: number;
  grossSaleCount: number;
  grossSales: number;
  topUpCount: number;
  topUps: number;
  grossTopUpCount: number;
  grossTopUps: number;
  redemptionCount: number;
  redemptions: number;
  grossRedemptionCount: number;
  grossRedemptions: number;
  /** Customers who did any of these, or used points or a voucher. */
  activeCustomers: number;
}

export interface HomeFigures {
  today: Figures;
  /** The same weekday of last week, up to the same time of day. */
  lastWeek: Figures;
  /** What customers hold, in minor units. Null for staff of named stores, because it belongs to no store. */
  outstanding: { principal: number; bonus: number } | null;
  /** Thirty days, ending today. */
  days: DayTakings[];
  /** Null once they are done, and for staff of named stores. */
  firstSteps: FirstSteps | null;
}

const chartDays = 30;
/** Max difference between the time in a row's id and the row's own time. */
const marginMs = 60_000;
/** Sales may be dated this far ahead (`kernel/occurred-at.ts`). */
const aheadMs = 5 * 60_000;
/** Sales that were recorded later than this after they happened are found by `transactions_late`. */
const lateMs = lateSaleMinutes * 60_000;

/** Returns today's figures. */
export function homeFigures(ctx: StaffContext): Promise<HomeFigures> {
  const now = ctx.clock.now();
  const { merchant } = ctx;
  const to = dateIn(merchant, now);
  const from = addToDate(to, 1 - chartDays);
  const weekAgo = daysBefore(now, 7, merchant);
  return readBooks(ctx, async (books) => {
    const [today, lastWeek, outstanding, days, firstSteps] = await Promise.all([
      figures(books, to, now),
      figures(books, dateIn(merchant, weekAgo), weekAgo),
      ctx.db.stores ? null : held(books),
      takingsByDay(books, { from, to }),
      ctx.db.stores ? null : readFirstSteps(books.tx, now),
    ]);
    return { today, lastWeek, outstanding, days, firstSteps };
  });
}

/**
 * Sums what counts on a date, up to `to`. Rows are selected by id, which contains the time, and late sales by when they
 * happened.
 */
async function figures({ tx: { merchantId, db }, days, isInStore }: Books, date: string, to: Date): Promise<Figures> {
  const from = new Date(Math.min(...startsOf(date, days)));
  const first = firstIdAt(new Date(from.getTime() - aheadMs - marginMs));
  const last = firstIdAt(new Date(to.getTime() + lateMs + marginMs));
  const { uid, voidId, occurredAt } = transactions;
  const select = (condition: SQL | undefined) =>
    db
      .select()
      .from(transactions)
      .where(and(eq(transactions.merchantId, merchantId), isInStore, condition))
      .$dynamic();
  const isLate = and(between(occurredAt, from, to), isLateSale, gt(uid, last));
  const made = select(between(uid, first, last))
    .unionAll(select(isLate))
    .as('rows');
  const voided = select(between(voidId, first, last))
    .unionAll(select(and(between(uid, first, last), isNotNull(voidId), not(between(voidId, first, last)))))
    .unionAll(select(and(isLate, isNotNull(voidId), not(between(voidId, first, last)))))
    .as('rows');
  const again = alias(transactions, 'again');
  const isCorrected = exists(
    db
      .select({ uid: again.uid })
      .from(again)
      .where(isCorrectedBy(voided, again, days)),
  );
  const booked = records(db, made)
    .unionAll(reversalsOfDay(db, voided, isCorrected))
    .as('booked');
  const sumOf = (summed: SQL.Aliased<number>, type: BookedType) =>
    sql<number>`coalesce(sum(${summed}) filter (where ${eq(booked.type, type)}), 0)::bigint`;
  const isActive = gt(booked.count, 0);
  return only(
    await db
      .select({
        saleCount: sumOf(booked.count, 'sale'),
        sales: sumOf(booked.amount, 'sale'),
        grossSaleCount: sumOf(booked.grossCount, 'sale'),
        grossSales: sumOf(booked.gross, 'sale'),
        topUpCount: sumOf(booked.count, 'topUp'),
        topUps: sumOf(booked.amount, 'topUp'),
        grossTopUpCount: sumOf(booked.grossCount, 'topUp'),
        grossTopUps: sumOf(booked.gross, 'topUp'),
        redemptionCount: sumOf(booked.count, 'redeemStoredValue'),
        redemptions: sumOf(booked.amount, 'redeemStoredValue'),
        grossRedemptionCount: sumOf(booked.grossCount, 'redeemStoredValue'),
        grossRedemptions: sumOf(booked.gross, 'redeemStoredValue'),
        activeCustomers: sql<number>`count(distinct ${booked.customerId}) filter (where ${isActive})`,
      })
      .from(booked)
      .where(and(eq(storeDateAt(booked.at, days, booked.storeId), date), lte(booked.at, new Date(to)))),
  );
}

/** Returns when a date starts, at the merchant's hour and at those of its stores. */
const startsOf = (date: string, days: StoreDays): number[] =>
  [days.dayStartsAt, ...days.startsAtOfStores.values()].map((dayStartsAt) =>
    startOfDate(date, { ...days, dayStartsAt }).getTime(),
  );

async function held({ tx: { db }, ledgerDays }: Books): Promise<NonNullable<HomeFigures['outstanding']>> {
  const of = (part: BalancePart) =>
    sql<number>`coalesce(sum(${changeOf(ledgerDays)}) filter (where ${eq(ledgerDays.part, part)}), 0)::bigint`;
  return only(
    await db
      .select({ principal: of('principal'), bonus: of('bonus') })
      .from(ledgerDays)
      .where(ne(ledgerDays.part, 'points')),
  );
}
