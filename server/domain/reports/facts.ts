/**
 * Defines what is summed, and how. The worker's sums and a report's unsummed rows use the same definitions, so that
 * they add up. A fact is recorded once and never changes. It counts on the day it was recorded (`created_at`), and a
 * void counts on its own day.
 */
import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, SubqueryWithSelection } from 'drizzle-orm/pg-core';
import type { Queries } from '@/db/query/queries';
import {
  type BookedType,
  bookedTypes,
  type ledgerEntries,
  lots,
  transactions,
  type transactionType,
  vouchers,
} from '@/db/schema';

/** Rows of a table, from a query or a CTE. */
export type Rows<Table extends PgTable> = SubqueryWithSelection<Table['_']['columns'], 'rows'>;

/** The only place where SQL computes a local day. `kernel/zones.ts` uses the same data. */
export const dateAt = (at: PgColumn | SQL | SQL.Aliased, timeZone: string) =>
  sql<string>`(${at} at time zone ${timeZone})::date`;

export const hourAt = (at: PgColumn | SQL | SQL.Aliased, timeZone: string) =>
  sql`to_char(${at} at time zone ${timeZone}, 'HH24')`;

export const dayOf = (at: PgColumn | SQL.Aliased, timeZone: string) => dateAt(at, timeZone).as('day');

/**
 * Sums entries by day, store and part. An entry counts by the type of its transaction, so a void's entries reduce what
 * they reverse.
 */
export function ledgerFacts(db: Queries, timeZone: string, rows: Rows<typeof ledgerEntries>, isCounted?: SQL) {
  const { storeId, type } = transactions;
  const day = dayOf(rows.createdAt, timeZone);
  const sumOf = (...types: (typeof transactionType.enumValues)[number][]) =>
    sql<number>`coalesce(sum(${rows.amount}) filter (where ${inArray(type, types).inlineParams()}), 0)::bigint`;
  return db
    .select({
      day,
      storeId,
      part: rows.part,
      granted: sumOf('topUp', 'sale').as('granted'),
      spent: sumOf('redeemStoredValue', 'redeemPoints').as('spent'),
      expired: sumOf('expiry').as('expired'),
      adjusted: sumOf('adjustment').as('adjusted'),
    })
    .from(rows)
    .innerJoin(
      transactions,
      and(eq(transactions.merchantId, rows.merchantId), eq(transactions.uid, rows.transactionUid)),
    )
    .where(isCounted)
    .groupBy(day, storeId, rows.part);
}

/** Sums entries by part, and by the days on which their lots were granted and expire. */
export function creditFacts(db: Queries, timeZone: string, rows: Rows<typeof ledgerEntries>) {
  const { createdAt, expiresAt } = lots;
  // The limit keeps it a look-up by key. Otherwise the planner may read all lots of the merchant for a few entries.
  const lot = db
    .select({ createdAt, expiresAt })
    .from(lots)
    .where(and(eq(lots.merchantId, rows.merchantId), eq(lots.id, rows.lotId)))
    .limit(1)
    .as('lot');
  const grantedOn = dateAt(lot.createdAt, timeZone).as('granted_on');
  const expiresOn = sql<string | null>`${dateAt(lot.expiresAt, timeZone)}`.as('expires_on');
  return db
    .select({
      part: rows.part,
      grantedOn,
      expiresOn,
      remaining: sql<number>`sum(${rows.amount})::bigint`.as('remaining'),
    })
    .from(rows)
    .crossJoinLateral(lot)
    .groupBy(rows.part, grantedOn, expiresOn);
}

type TransactionRows = Rows<typeof transactions>;

/** Transactions as they were recorded. */
export const bookings = (db: Queries, rows: TransactionRows) =>
  selectBooked(db, rows, { at: rows.createdAt, count: sql`1`, amount: sql`${rows.amount}` });

/** Voided transactions, with the amounts that their voids reversed. */
export const reversals = (db: Queries, rows: TransactionRows) =>
  selectBooked(db, rows, { at: rows.voidedAt, count: sql`-1`, amount: sql`-${rows.amount}` });

/**
 * Transactions that a POS records, each in a store, and online top-ups. Refused transactions and expiries have no
 * amount.
 */
const selectBooked = (
  db: Queries,
  rows: TransactionRows,
  { at, count, amount }: { at: PgColumn; count: SQL; amount: SQL },
) =>
  db
    .select({
      at: sql<Date>`${at}`.as('at'),
      merchantId: rows.merchantId,
      uid: rows.uid,
      storeId: rows.storeId,
      staffId: rows.staffId,
      type: sql<BookedType>`${rows.type}`.as('type'),
      count: sql<number>`${count}`.as('count'),
      amount: sql<number>`${amount}`.as('amount'),
      customerId: rows.customerId,
      answer: rows.answer,
    })
    .from(rows)
    .where(and(isNotNull(rows.amount), inArray(rows.type, bookedTypes).inlineParams()));

export type Booked = ReturnType<typeof bookings>;

/** Sums bookings or reversals by day, store and type. */
export function transactionFacts(db: Queries, timeZone: string, bookedRows: Booked) {
  const booked = bookedRows.as('booked');
  const day = dayOf(booked.at, timeZone);
  return db
    .select({
      day,
      storeId: booked.storeId,
      type: booked.type,
      count: sql<number>`sum(${booked.count})::int`.as('count'),
      amount: sql<number>`sum(${booked.amount})::bigint`.as('amount'),
    })
    .from(booked)
    .groupBy(day, booked.storeId, booked.type);
}

/**
 * Sums bookings or reversals of vouchers by day and campaign. Only a transaction's stored response names its voucher
 * for good, because a void releases the voucher. The response is read before the join (`offset 0`): under row-level
 * security, no index is searched by a text that is yet to be computed.
 */
export function redemptionFacts(db: Queries, timeZone: string, bookedRows: Booked) {
  const booked = bookedRows.as('booked');
  const redemptions = db
    .select({
      at: booked.at,
      merchantId: booked.merchantId,
      count: booked.count,
      amount: booked.amount,
      code: sql<string>`replace(${booked.answer}::json ->> 'voucherCode', '-', '')`.as('code'),
    })
    .from(booked)
    .where(eq(booked.type, 'redeemVoucher').inlineParams())
    .offset(0)
    .as('redemptions');
  const { campaignId, merchantId, voucherCode } = vouchers;
  const day = dayOf(redemptions.at, timeZone);
  return db
    .select({
      day,
      campaignId,
      issued: sql<number>`0`.as('issued'),
      redeemed: sql<number>`sum(${redemptions.count})::int`.as('redeemed'),
      discount: sql<number>`sum(${redemptions.amount})::bigint`.as('discount'),
    })
    .from(redemptions)
    .innerJoin(vouchers, and(eq(merchantId, redemptions.merchantId), eq(voucherCode, redemptions.code)))
    .groupBy(day, campaignId);
}

/** Counts vouchers by day and campaign. */
export function issueFacts(db: Queries, timeZone: string, rows: Rows<typeof vouchers>) {
  const day = dayOf(rows.issuedAt, timeZone);
  return db
    .select({
      day,
      campaignId: rows.campaignId,
      issued: sql<number>`count(*)::int`.as('issued'),
      redeemed: sql<number>`0`.as('redeemed'),
      discount: sql<number>`0::bigint`.as('discount'),
    })
    .from(rows)
    .groupBy(day, rows.campaignId);
}
