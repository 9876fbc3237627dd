import { and, between, eq, exists, gt, isNotNull, lte, ne, not, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { only } from '@/db/query/queries';
<<<<<<< HEAD
import {
  auditLog,
  type BookedType,
  isLateSale,
  lateSaleMinutes,
  lots,
  messages,
  stockOuts,
  transactions,
} from '@/db/schema';
import { listOverpaidBills, listRefusedRefunds, type OverpaidBill, type RefusedRefund, sumOpenBills } from '../bills';
import { limitAction, ownCustomersAction } from '../daily-limits';
import { codesLimitAction } from '../diners';
import { addToDate, dateIn, daysBefore, type StoreDays, startOfDate, startOfDay } from '../kernel/calendar';
=======
import { type BookedType, isLateSale, lateSaleMinutes, transactions } from '@/db/schema';
import { addToDate, dateIn, daysBefore, type StoreDays, startOfDate } from '../kernel/calendar';
>>>>>>> main
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
<<<<<<< HEAD

/** In any store: then the merchant's till is connected. */
async function hasTransactions({ tx }: Books): Promise<boolean> {
  const { merchantId, db } = tx;
  const { uid } = transactions;
  const found = await db.select({ uid }).from(transactions).where(eq(transactions.merchantId, merchantId)).limit(1);
  return found.length > 0;
}

export interface Attention {
  /** Late open orders, over all stores. */
  lateOrders: LateOrders;
  /** Tills' limits that were reached today; null for people who may not see them. */
  limitsReached: number | null;
  /** Sign-in code limits that were reached today; null for people who may not see them. */
  codeLimitsReached: number | null;
  /** Staff who today topped up several customers whom they had enrolled; null for people who may not see them. */
  ownCustomers: number | null;
  /** Messages that failed in the last seven days; null for people who may not see them. */
  failedMessages: number | null;
  /** Webhook endpoints that are failing, or that the service disabled; null for all but owners. */
  failingWebhooks: number | null;
  /** Over all stores. */
  soldOutItems: number;
  /** Bonus that expires within seven days, in minor units; null for people who may not see amounts. */
  expiringBonus: { amount: number; customers: number } | null;
  /** Refunded card top-ups that the ledger could not follow; null for people who may not see amounts. */
  refundAlerts: RefundAlert[] | null;
  /** Bills of the reader's stores with refused refunds; null for people who may not see amounts. */
  refusedRefunds: RefusedRefund[] | null;
  /** Bills of the reader's stores that were closed with too much paid on them; null for people who may not see amounts. */
  overpaidBills: OverpaidBill[] | null;
  /** The open bills of the reader's stores, and what is due on them in minor units, for people who may see amounts. */
  openBills: { count: number; due: number | null };
}

const attentionDays = 7;

/** Returns what needs attention. */
export async function needsAttention(ctx: StaffContext): Promise<Attention> {
  const { db, merchant, staff, clock } = ctx;
  const now = clock.now();
  const isCashier = staff.role === 'cashier';
  // Only for people of all stores, because it belongs to no store.
  const isGeneral = !isCashier && db.stores === undefined;
  const [refundAlerts, refusedRefunds, overpaidBills, openBills, lateOrders, failingWebhooks] = await Promise.all([
    isGeneral ? listRefundAlerts(ctx) : null,
    isCashier ? null : listRefusedRefunds(ctx),
    isCashier ? null : listOverpaidBills(ctx),
    sumOpenBills(ctx).then(({ count, due }) => ({ count, due: isCashier ? null : due })),
    countLateOrders(ctx),
    staff.role === 'owner' ? countFailingEndpoints(ctx) : null,
  ]);
  const [soldOut, failed, expiring, limits] = await withMerchant(db, merchant.id, ({ merchantId, db }) =>
    Promise.all([
      db
        .select({ items: countDistinct(stockOuts.plu) })
        .from(stockOuts)
        .where(and(eq(stockOuts.merchantId, merchantId), or(isNull(stockOuts.until), gt(stockOuts.until, now)))),
      isCashier
        ? []
        : // Who waits for a sign-in code asks for another by themselves; a notice that was never tried was not to be sent.
          db
            .select({ messages: count() })
            .from(messages)
            .where(
              and(
                eq(messages.merchantId, merchantId),
                eq(messages.state, 'failed').inlineParams(),
                ne(messages.kind, 'code').inlineParams(),
                or(gt(messages.attempts, 0), isNull(messages.dueAt)),
                gte(messages.id, firstIdAt(subDays(now, attentionDays))),
              ),
            ),
      isGeneral
        ? db
            .select({
              amount: sql<number>`coalesce(sum(${lots.remaining}), 0)::bigint`,
              customers: countDistinct(lots.customerId),
            })
            .from(lots)
            .where(
              and(
                eq(lots.merchantId, merchantId),
                lots.open,
                eq(lots.part, 'bonus').inlineParams(),
                gt(lots.expiresAt, now),
                lte(lots.expiresAt, addDays(now, attentionDays)),
              ),
            )
        : [],
      isGeneral
        ? db
            .select({ action: auditLog.action, reached: count() })
            .from(auditLog)
            .where(
              and(
                eq(auditLog.merchantId, merchantId),
                inArray(auditLog.action, [limitAction, codesLimitAction, ownCustomersAction]),
                gte(auditLog.id, firstIdAt(startOfDay(now, merchant))),
              ),
            )
            .groupBy(auditLog.action)
        : [],
    ]),
  );
  const reached = (action: string) =>
    isGeneral ? (limits.find((limit) => limit.action === action)?.reached ?? 0) : null;
  return {
    lateOrders,
    limitsReached: reached(limitAction),
    codeLimitsReached: reached(codesLimitAction),
    ownCustomers: reached(ownCustomersAction),
    failedMessages: failed[0]?.messages ?? null,
    failingWebhooks,
    soldOutItems: only(soldOut).items,
    expiringBonus: expiring[0] ?? null,
    refundAlerts,
    refusedRefunds,
    overpaidBills,
    openBills,
  };
}
=======
>>>>>>> main
