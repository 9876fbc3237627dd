/**
 * Defines what is summed, and how. The worker's sums and a report's unsummed rows use the same definitions, so that
 * they add up. A fact is recorded once and never changes. A sale counts when it happened at the till (`occurred_at`),
 * and all else when it was recorded (`created_at`). A void counts when it was made, unless it corrects a sale (see
 * `corrections`).
 */
import { and, eq, exists, inArray, isNotNull, lt, notExists, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn, type PgTable, type SubqueryWithSelection } from 'drizzle-orm/pg-core';
import type { Queries } from '@/db/query/queries';
import {
  type BookedType,
  bookedTypes,
  type ledgerEntries,
  lots,
  partialRefunds,
  transactions,
  type transactionType,
  vouchers,
} from '@/db/schema';
import type { LocalDays, StoreDays } from '../kernel/calendar';

/** Rows of a table, from a query or a CTE. */
export type Rows<Table extends PgTable> = SubqueryWithSelection<Table['_']['columns'], 'rows'>;

type Column = PgColumn | SQL | SQL.Aliased;

/** The only place where SQL computes a local day. `kernel/zones.ts` uses the same data. */
export const dateAt = (at: Column, { timeZone, dayStartsAt }: LocalDays) => dateFrom(at, timeZone, sql`${dayStartsAt}`);

/** The day of what happened in a store. */
export function storeDateAt(at: Column, { timeZone, dayStartsAt, startsAtOfStores }: StoreDays, storeId: Column) {
  if (startsAtOfStores.size === 0) return dateFrom(at, timeZone, sql`${dayStartsAt}`);
  const cases = [...startsAtOfStores].map(([id, startsAt]) => sql`when ${id}::uuid then ${startsAt}::int`);
  return dateFrom(at, timeZone, sql`case ${storeId} ${sql.join(cases, sql` `)} else ${dayStartsAt}::int end`);
}

const dateFrom = (at: Column, timeZone: string, startsAt: SQL) =>
  sql<string>`((${at} at time zone ${timeZone}) - make_interval(hours => (${startsAt})::int))::date`;

export const hourAt = (at: Column, { timeZone }: LocalDays) => sql`to_char(${at} at time zone ${timeZone}, 'HH24')`;

/**
 * Sums entries by day, store and part. An entry counts by the type of its transaction, so a void's entries reduce what
 * they reverse.
 */
export function ledgerFacts(db: Queries, days: LocalDays, rows: Rows<typeof ledgerEntries>, isCounted?: SQL) {
  const { storeId, type } = transactions;
  const day = dateAt(rows.createdAt, days).as('day');
  const sumOf = (...types: (typeof transactionType.enumValues)[number][]) =>
    sql<number>`coalesce(sum(${rows.amount}) filter (where ${inArray(type, types).inlineParams()}), 0)::bigint`;
  return db
    .select({
      day,
      storeId,
      part: rows.part,
      granted: sumOf('topUp', 'cashOut', 'sale').as('granted'),
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
export function creditFacts(db: Queries, days: LocalDays, rows: Rows<typeof ledgerEntries>) {
  const { createdAt, expiresAt, revivedAt, expiredAt } = lots;
  // The limit keeps it a look-up by key. Otherwise the planner may read all lots of the merchant for a few entries.
  const lot = db
    .select({ createdAt, expiresAt, revivedAt, expiredAt })
    .from(lots)
    .where(and(eq(lots.merchantId, rows.merchantId), eq(lots.id, rows.lotId)))
    .limit(1)
    .as('lot');
  const grantedOn = dateAt(lot.createdAt, days).as('granted_on');
  // What a revived lot held until then has expired at its earlier end.
  const isEarlier = sql`${rows.createdAt} < ${lot.revivedAt}
    or ${rows.createdAt} = ${lot.revivedAt} and ${eq(rows.kind, 'expiry').inlineParams()}`;
  const end = sql`case when ${isEarlier} then ${lot.expiredAt} else ${lot.expiresAt} end`;
  const expiresOn = sql<string | null>`${dateAt(end, days)}`.as('expires_on');
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

/** Recorded transactions, with the corrections that they are. */
export const bookings = (db: Queries, days: StoreDays, rows: TransactionRows) =>
  records(db, rows).unionAll(corrections(db, days, rows));

/** Transactions as they were recorded. */
export const records = (db: Queries, rows: TransactionRows) =>
  selectBooked(db, rows, {
    at: sql`case when ${eq(rows.type, 'sale').inlineParams()} then ${rows.occurredAt} else ${rows.createdAt} end`,
    recordedAt: rows.createdAt,
    count: sql`1`,
    amount: sql`${rows.amount}`,
    isGross: sql`not ${isRest(db, rows)}`,
  });

/** True if the transaction has the rest of a partial refund, and was not made anew. */
const isRest = (db: Queries, { merchantId, uid, type }: TransactionRows) =>
  and(
    eq(type, 'redeemStoredValue').inlineParams(),
    exists(
      db
        .select({ uid: partialRefunds.restUid })
        .from(partialRefunds)
        .where(and(eq(partialRefunds.merchantId, merchantId), eq(partialRefunds.restUid, uid))),
    ),
  );

/** Voided transactions, with the amounts that their voids reversed. They count when they were voided. */
export const reversals = (db: Queries, rows: TransactionRows) =>
  selectBooked(db, rows, { ...reversed(rows), at: sql`${rows.voidedAt}`, isGross: sql`false` });

/** Voided transactions of one day, on which those count that were corrected (`isCorrected`). */
export const reversalsOfDay = (db: Queries, rows: TransactionRows, isCorrected: SQL) =>
  selectBooked(db, rows, {
    ...reversed(rows),
    at: sql`case when ${isCorrected} then ${rows.occurredAt} else ${rows.voidedAt} end`,
    isGross: isCorrected,
  });

const reversed = (rows: TransactionRows) => ({
  recordedAt: rows.voidedAt,
  count: sql`-1`,
  amount: sql`-${rows.amount}`,
});

/**
 * Sales that were corrected: a till voids a sale, and sends the bill again for the same day. As the bill that was sent
 * again (one of `rows`) is booked, the void moves from the time of the void to that of the sale.
 */
function corrections(db: Queries, days: StoreDays, rows: TransactionRows) {
  const between = alias(transactions, 'between');
  const earlier = db
    .select({ uid: between.uid })
    .from(between)
    .where(and(isCorrectedBy(transactions, between, days), lt(between.uid, rows.uid)));
  // `offset 0` makes the planner look this up for each row, also where it expects many rows.
  const voided = db
    .select()
    .from(transactions)
    // The first one corrects it.
    .where(and(isCorrectedBy(transactions, rows, days), notExists(earlier)))
    .offset(0)
    .as('voided');
  const corrected = db
    .select({ ...voided._.selectedFields, createdAt: rows.createdAt, sign: sql<number>`side.sign`.as('sign') })
    .from(rows)
    .crossJoinLateral(voided)
    .crossJoin(sql`(values (1), (-1)) as side (sign)`)
    .as('rows');
  return selectBooked(db, corrected as unknown as TransactionRows, {
    at: sql`case ${corrected.sign} when 1 then ${corrected.voidedAt} else ${corrected.occurredAt} end`,
    recordedAt: rows.createdAt,
    count: sql`${corrected.sign}`,
    amount: sql`${corrected.sign} * ${corrected.amount}`,
    // The bill that was sent again is the day's one sale.
    isGross: eq(corrected.sign, -1).inlineParams(),
  });
}

type BillRow = Record<'merchantId' | 'storeId' | 'billId' | 'type' | 'amount' | 'occurredAt' | 'uid', PgColumn>;

/** True if the bill of the voided sale was sent again as the sale `again`, after the void and for the same day. */
export const isCorrectedBy = (voided: BillRow & { voidId: PgColumn }, again: BillRow, days: StoreDays) =>
  and(
    eq(again.merchantId, voided.merchantId),
    eq(again.storeId, voided.storeId),
    eq(again.billId, voided.billId),
    isNotNull(voided.billId),
    isNotNull(voided.voidId),
    eq(voided.type, 'sale').inlineParams(),
    eq(again.type, 'sale').inlineParams(),
    isNotNull(voided.amount),
    isNotNull(again.amount),
    lt(voided.voidId, again.uid),
    eq(storeDateAt(again.occurredAt, days, again.storeId), storeDateAt(voided.occurredAt, days, voided.storeId)),
  );

/**
 * Transactions that a POS records, each in a store, and online top-ups. A cash-out is booked as less of the top-ups.
 * Refused transactions and expiries have no amount. What was recorded is gross, but for cash-outs and the rests of
 * partial refunds: gross less net is what was voided or refunded.
 */
const selectBooked = (
  db: Queries,
  rows: TransactionRows,
  { at, recordedAt, count, amount, isGross }: { at: SQL; recordedAt: PgColumn; count: SQL; amount: SQL; isGross: SQL },
) => {
  const isCashOut = eq(rows.type, 'cashOut').inlineParams();
  return db
    .select({
      at: sql<Date>`${at}`.as('at'),
      recordedAt: sql<Date>`${recordedAt}`.as('recorded_at'),
      merchantId: rows.merchantId,
      uid: rows.uid,
      storeId: rows.storeId,
      staffId: rows.staffId,
      type: sql<BookedType>`case when ${isCashOut} then 'topUp' else ${rows.type} end`.as('type'),
      count: sql<number>`case when ${isCashOut} then 0 else ${count} end`.as('count'),
      amount: sql<number>`case when ${isCashOut} then -(${amount}) else ${amount} end`.as('amount'),
      gross: sql<number>`case when not ${isCashOut} and ${isGross} then ${amount} else 0 end`.as('gross'),
      grossCount: sql<number>`case when not ${isCashOut} and ${isGross} then ${count} else 0 end`.as('gross_count'),
      customerId: rows.customerId,
      billId: rows.billId,
      occurredAt: rows.occurredAt,
      answer: rows.answer,
    })
    .from(rows)
    .where(and(isNotNull(rows.amount), inArray(rows.type, [...bookedTypes, 'cashOut']).inlineParams()))
    .$dynamic();
};

export type Booked = ReturnType<typeof records>;

/** Sums bookings or reversals by day, store and type. */
export function transactionFacts(db: Queries, days: StoreDays, bookedRows: Booked) {
  const booked = bookedRows.as('booked');
  const day = storeDateAt(booked.at, days, booked.storeId).as('day');
  const isLate = sql`${storeDateAt(booked.recordedAt, days, booked.storeId)} > ${storeDateAt(booked.at, days, booked.storeId)}`;
  return db
    .select({
      day,
      storeId: booked.storeId,
      type: booked.type,
      count: sql<number>`sum(${booked.count})::int`.as('count'),
      amount: sql<number>`sum(${booked.amount})::bigint`.as('amount'),
      grossCount: sql<number>`sum(${booked.grossCount})::int`.as('gross_count'),
      gross: sql<number>`sum(${booked.gross})::bigint`.as('gross'),
      changedAt: sql<Date | null>`max(${booked.recordedAt}) filter (where ${isLate})`.as('changed_at'),
    })
    .from(booked)
    .groupBy(day, booked.storeId, booked.type);
}

/**
 * Sums bookings or reversals of vouchers by day and campaign. Only a transaction's stored response names its voucher
 * for good, because a void releases the voucher. The response is read before the join (`offset 0`): under row-level
 * security, no index is searched by a text that is yet to be computed.
 */
export function redemptionFacts(db: Queries, days: StoreDays, bookedRows: Booked) {
  const booked = bookedRows.as('booked');
  const redemptions = db
    .select({
      at: booked.at,
      merchantId: booked.merchantId,
      storeId: booked.storeId,
      count: booked.count,
      amount: booked.amount,
      code: sql<string>`replace(${booked.answer}::json ->> 'voucherCode', '-', '')`.as('code'),
    })
    .from(booked)
    .where(eq(booked.type, 'redeemVoucher').inlineParams())
    .offset(0)
    .as('redemptions');
  const { campaignId, merchantId, voucherCode } = vouchers;
  const day = storeDateAt(redemptions.at, days, redemptions.storeId).as('day');
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
export function issueFacts(db: Queries, days: LocalDays, rows: Rows<typeof vouchers>) {
  const day = dateAt(rows.issuedAt, days).as('day');
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
