/** What vouchers bring: larger bills, and guests who come back. */
import {
  and,
  between,
  count,
  desc,
  eq,
  exists,
  gt,
  isNotNull,
  lte,
  notExists,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import { recordset } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { stores, transactions } from '@/db/schema';
import { facetOf } from '@/db/schema/ledger';
import { endOfDate, type LocalDays, startOfDate } from '../kernel/calendar';
import { firstIdAt } from '../kernel/ids';
import { daysOf, type ReportContext, untilToday } from './rules';
import { salesReport } from './sales-report';
import type { Period } from './schemas';

/** Bills with a voucher, or without one. */
export interface EffectGroup {
  bills: number;
  /** Average total of a bill in minor units; null without bills. */
  average: number | null;
  /** Known guests of these bills: all of those with a voucher, a sample of the others. */
  guests: number;
  /** Of these, how many had another bill within 30 days, as far as they are over. */
  cameBack: number;
}

export interface VoucherEffect {
  withVoucher: EffectGroup;
  without: EffectGroup;
  /** Minor units of discount for each visit that guests without a voucher would not have made. Null if there is none. */
  costPerExtraVisit: number | null;
}

/** Redemptions of a store in a period that are read, the newest. */
const maxRedemptions = 5_000;
/** Days of a period, and sales of a store on each, that stand for the guests without a voucher. */
const sampledDays = 12;
const sampledSales = 25;
/** A second bill on the same evening is the same visit. */
const sameVisitHours = 12;
const returnDays = 30;

/** Compares the bills of the period that a voucher was redeemed on with the others. */
export async function voucherEffect(ctx: ReportContext, input: Period): Promise<VoucherEffect> {
  const period = untilToday(ctx, input);
  const { merchant } = ctx;
  const [{ total }, redeemed, sampled] = await Promise.all([
    salesReport(ctx, { from: period.from, to: period.to }),
    withMerchant(ctx.db, merchant.id, (tx) => readRedeemed(tx, merchant, period)),
    withMerchant(ctx.db, merchant.id, (tx) => readSample(tx, merchant, period)),
  ]);
  const { redemptions, ...guests } = redeemed;
  // Above 1 if a store has more redemptions than are read: these then stand for all.
  const scale = redemptions === 0 ? 1 : Math.max(1, total.voucherCount / redemptions);
  const bills = Math.round(guests.bills * scale);
  const amount = Math.round(guests.amount * scale);
  const others = { bills: total.saleCount - bills, amount: total.sales - amount };
  const withVoucher = { ...describe(bills, amount), guests: guests.guests, cameBack: guests.cameBack };
  const without = { ...describe(others.bills, others.amount), ...sampled };
  const cost = costPerExtraVisit(total.discount / scale, withVoucher, without);
  return { withVoucher, without, costPerExtraVisit: cost };
}

const describe = (bills: number, amount: number) => ({
  bills,
  average: bills > 0 ? Math.round(amount / bills) : null,
});

type Guests = Pick<EffectGroup, 'guests' | 'cameBack'>;

/** Returns minor units, or null if guests with a voucher came back no more often than the others. */
export function costPerExtraVisit(discount: number, redeemed: Guests, others: Guests): number | null {
  if (others.guests === 0) return null;
  const extra = redeemed.cameBack - (redeemed.guests * others.cameBack) / others.guests;
  // Less than one visit is chance.
  return extra < 1 ? null : Math.round(discount / extra);
}

const again = alias(transactions, 'again');
const bill = alias(transactions, 'bill');

const isSale = ({ type, status }: { type: PgColumn; status: PgColumn }) =>
  and(eq(type, 'sale').inlineParams(), eq(status, 'completed').inlineParams());

/** Tells whether the customer of a sale or redemption has a bill on a later day. */
const hasComeBack = ({ merchantId, db }: Tx, of: { uid: PgColumn; customerId: PgColumn; occurredAt: PgColumn }): SQL =>
  exists(
    db
      .select({ uid: again.uid })
      .from(again)
      .where(
        and(
          eq(again.merchantId, merchantId),
          eq(again.customerId, of.customerId),
          gt(again.uid, of.uid),
          isSale(again),
          gt(again.occurredAt, sql`${of.occurredAt} + ${sameVisitHours} * interval '1 hour'`),
          lte(again.occurredAt, sql`${of.occurredAt} + ${returnDays} * interval '1 day'`),
        ),
      ),
  );

/** Whether a guest came back after the first visit that was read: with several, regulars would count more. */
const atFirst = (cameBack: SQLWrapper, uid: SQLWrapper) => sql<boolean>`(array_agg(${cameBack} order by ${uid}))[1]`;

/** A store's transactions of one kind with ids in a range, by index. */
const ofStore = ({ merchantId }: Tx, type: 'sale' | 'redeemVoucher', from: SQL | string, until: SQL | string) =>
  and(
    eq(transactions.merchantId, merchantId),
    eq(transactions.storeId, stores.id),
    eq(transactions.facet, facetOf(type, 'completed')),
    between(transactions.uid, from, until),
  );

const idsOf = ({ from, to }: Pick<Period, 'from' | 'to'>, days: LocalDays) => ({
  fromId: firstIdAt(startOfDate(from, days)),
  untilId: firstIdAt(endOfDate(to, days)),
});

async function readRedeemed(tx: Tx, days: LocalDays, period: Period) {
  const { merchantId, db } = tx;
  const { fromId, untilId } = idsOf(period, days);
  const { uid, storeId, billId, customerId, occurredAt } = transactions;
  const redemptions = db
    .select({ uid, storeId, billId, customerId, occurredAt })
    .from(transactions)
    .where(ofStore(tx, 'redeemVoucher', fromId, untilId))
    .orderBy(desc(uid))
    .limit(maxRedemptions)
    .as('redemptions');
  const sale = db
    .select({ uid: bill.uid, amount: bill.amount })
    .from(bill)
    .where(
      and(
        eq(bill.merchantId, merchantId),
        eq(bill.storeId, redemptions.storeId),
        eq(bill.billId, redemptions.billId),
        isSale(bill),
        between(
          bill.occurredAt,
          sql`${redemptions.occurredAt} - interval '1 day'`,
          sql`${redemptions.occurredAt} + interval '1 day'`,
        ),
      ),
    )
    .limit(1)
    .as('sale');
  const redeemed = db.$with('redeemed').as(
    db
      .select({
        uid: redemptions.uid,
        saleUid: sql<string | null>`${sale.uid}`.as('sale_uid'),
        saleAmount: sql<number | null>`${sale.amount}`.as('sale_amount'),
        customerId: sql<string | null>`${redemptions.customerId}`.as('of_customer'),
        cameBack: sql<boolean>`${hasComeBack(tx, redemptions)}`.as('came_back'),
      })
      .from(stores)
      .crossJoinLateral(redemptions)
      .leftJoinLateral(sale, sql`true`)
      .where(eq(stores.merchantId, merchantId)),
  );
  // Several vouchers may be on one bill.
  const bills = db
    .selectDistinct({ uid: redeemed.saleUid, amount: redeemed.saleAmount })
    .from(redeemed)
    .where(isNotNull(redeemed.saleUid))
    .as('bills');
  const guests = db
    .select({ cameBack: atFirst(redeemed.cameBack, redeemed.uid).as('guest_came_back') })
    .from(redeemed)
    .where(isNotNull(redeemed.customerId))
    .groupBy(redeemed.customerId)
    .as('guests');
  const sums = db
    .select({
      bills: count().as('bill_count'),
      amount: sql<number>`coalesce(sum(${bills.amount}), 0)::bigint`.as('sum'),
    })
    .from(bills)
    .as('sums');
  return only(
    await db
      .with(redeemed)
      .select({
        redemptions: sql<number>`(select count(*) from ${redeemed})::int`,
        bills: sums.bills,
        amount: sums.amount,
        guests: sql<number>`count(${guests.cameBack})::int`,
        cameBack: sql<number>`(count(*) filter (where ${guests.cameBack}))::int`,
      })
      .from(sums)
      .leftJoin(guests, sql`true`)
      .groupBy(sums.bills, sums.amount),
  );
}

/** Guests of bills without a voucher, on some days all over the period. */
async function readSample(tx: Tx, days: LocalDays, period: Period): Promise<Guests> {
  const { merchantId, db } = tx;
  const all = daysOf(period);
  const step = Math.max(1, Math.ceil(all.length / sampledDays));
  const chosen = all.filter((_, at) => at % step === 0).map((date) => idsOf({ from: date, to: date }, days));
  const day = recordset('sampled', { fromId: sql<string>`uuid`, untilId: sql<string>`uuid` }, chosen);
  const { uid, customerId, occurredAt, storeId, billId } = transactions;
  const voucher = db
    .select({ uid: bill.uid })
    .from(bill)
    .where(
      and(
        eq(bill.merchantId, merchantId),
        eq(bill.storeId, storeId),
        eq(bill.billId, billId),
        eq(bill.type, 'redeemVoucher').inlineParams(),
        eq(bill.status, 'completed').inlineParams(),
      ),
    );
  const sales = db
    .select({ uid, customerId, occurredAt })
    .from(transactions)
    .where(and(ofStore(tx, 'sale', sql`${day.fromId}`, sql`${day.untilId}`), isNotNull(customerId), notExists(voucher)))
    .limit(sampledSales)
    .as('sales');
  const guests = db
    .select({
      customerId: sales.customerId,
      cameBack: atFirst(hasComeBack(tx, sales), sales.uid).as('guest_came_back'),
    })
    .from(stores)
    .crossJoin(day.$rows)
    .crossJoinLateral(sales)
    .where(eq(stores.merchantId, merchantId))
    .groupBy(sales.customerId)
    .as('guests');
  return only(
    await db
      .select({
        guests: sql<number>`count(*)::int`,
        cameBack: sql<number>`(count(*) filter (where ${guests.cameBack}))::int`,
      })
      .from(guests),
  );
}
