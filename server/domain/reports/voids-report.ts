/** Lists what was voided, refunded or paid out, and by whom: what gross amounts in reports have more than net ones. */
import { and, between, desc, eq, exists, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import {
  apiKeys,
  type BookedType,
  bookedTypes,
  customers,
  partialRefunds,
  staffTopUps,
  stores,
  transactions,
  users,
  voids,
} from '@/db/schema';
import { facetOf } from '@/db/schema/ledger';
import { fullName } from '../identity';
import { addToDate, endOfDate, type StoreDays, startOfDate } from '../kernel/calendar';
import { firstIdAt } from '../kernel/ids';
import { ifGiven, type ListOrder, type Page, type Seek, seekPage, seekSql, toPage } from '../kernel/page';
import { checkStoreIds, readStoreDays } from '../merchants';
import { isCorrectedBy, storeDateAt } from './facts';
import { type ReportContext, untilToday } from './rules';
import type { ReportInput, VoidsInput } from './schemas';

/** Who voided, refunded or paid out. A diner takes back redemptions; `refund` is the refund of a card payment. */
export interface VoidActor {
  kind: 'staff' | 'apiKey' | 'diner' | 'refund';
  /** The member of staff or the key; null for the others. */
  id: string | null;
  name: string | null;
}

export interface ReportedVoid {
  uid: string;
  kind: 'void' | 'partialRefund' | 'cashOut';
  type: BookedType | 'cashOut';
  /** What was voided, refunded or paid out: minor units, or points of `redeemPoints`. */
  amount: number;
  at: Date;
  /** When the transaction itself counts. */
  madeAt: Date;
  by: VoidActor;
  reason: string | null;
  store: { id: string; name: string } | null;
  customer: { id: string; name: string } | null;
  /** The till sent the same bill again for the same day, so the void only corrects it. */
  isCorrection: boolean;
}

export interface VoidsOfActor extends VoidActor {
  /** Without corrections, and without points. */
  count: number;
  /** Minor units. */
  amount: number;
  /** True if this one made far more of them than the others. */
  standsOut: boolean;
}

const newestFirst = { columns: [transactions.voidId, transactions.uid], descending: true };
const newestCashOutFirst = { columns: [transactions.uid, transactions.uid], descending: true };
/** In the sums of a period. */
const maxRows = 1_000_000;
/** Ids and times come from clocks that differ a little. */
const marginMs = 60_000;

/** Lists voids, refunds and cash-outs by when they were made, the newest first. Errors: `store_not_found`. */
export async function voidsReport(ctx: ReportContext, input: VoidsInput): Promise<Page<ReportedVoid>> {
  const page = seekPage(input, newestFirst);
  const rows = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const found = selectVoids(tx, await readRange(tx, ctx, input), page).as('found');
    const { key, uid } = found;
    const order = page.backwards ? sql`asc` : sql`desc`;
    return tx.db.select().from(found).orderBy(sql`${key} ${order}, ${uid} ${order}`).limit(page.take);
  });
  return toPage(
    rows,
    page,
    ({ key, uid }) => [key, uid],
    ({ key, actor, actorId, actorName, storeId, storeName, customerId, customerName, ...row }) => ({
      ...row,
      by: { kind: actor, id: actorId, name: actorName },
      store: storeId === null ? null : { id: storeId, name: storeName ?? '' },
      customer: customerId === null ? null : { id: customerId, name: customerName ?? '' },
    }),
  );
}

/** Counts voids, refunds and cash-outs by who made them, the largest amount first. Errors: `store_not_found`. */
export async function voidsByActor(ctx: ReportContext, input: ReportInput): Promise<VoidsOfActor[]> {
  const rows = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const found = selectVoids(tx, await readRange(tx, ctx, input)).as('found');
    const { actor, actorId, actorName, amount, type, isCorrection } = found;
    return tx.db
      .select({
        kind: actor,
        id: actorId,
        name: actorName,
        count: sql<number>`count(*)::int`,
        amount: sql<number>`sum(${amount})::bigint`,
      })
      .from(found)
      .where(and(not(isCorrection), sql`${type} <> 'redeemPoints'`))
      .groupBy(actor, actorId, actorName)
      .orderBy(desc(sql`5`), desc(sql`4`));
  });
  return rows.map((row) => ({ ...row, standsOut: standsOut(row, rows) }));
}

interface Range extends ReportInput {
  days: StoreDays;
  /** Staff of named stores do not see what happened outside of stores, such as top-ups by card. */
  isInStore: SQL | undefined;
}

async function readRange(tx: Tx, ctx: ReportContext, input: ReportInput): Promise<Range> {
  const { storeId } = input;
  if (storeId !== undefined) await checkStoreIds(tx, [storeId]);
  const { from, to } = untilToday(ctx, input);
  const isInStore = ctx.db.stores ? isNotNull(transactions.storeId) : undefined;
  return { from, to, storeId, days: await readStoreDays(tx), isInStore };
}

const leastToStandOut = 5;

/** True for a person with at least five, and three times the average of the others. One person alone never stands out. */
export function standsOut(one: { count: number }, all: readonly { count: number }[]): boolean {
  const others = all.filter((other) => other !== one);
  const ofOthers = others.reduce((sum, { count }) => sum + count, 0);
  return others.length > 0 && one.count >= leastToStandOut && one.count * others.length >= 3 * ofOthers;
}

/** Selects what was voided, refunded or paid out on the period's days: all of it, or at least the page's part. */
function selectVoids(tx: Tx, range: Range, page?: Seek) {
  const keys = selectKeys(tx, range, page).as('keys');
  const t = transactions;
  const keyOf = alias(apiKeys, 'key_of');
  const again = alias(transactions, 'again');
  const isVoid = isNotNull(keys.voidId);
  const isCorrection = exists(
    tx.db
      .select({ uid: again.uid })
      .from(again)
      .where(isCorrectedBy(t, again, range.days)),
  );
  const ofMerchant = eq(t.merchantId, tx.merchantId);
  return tx.db
    .select({
      key: keys.key,
      uid: t.uid,
      kind: sql<ReportedVoid['kind']>`case when not ${isVoid} then 'cashOut'
        when ${isNotNull(partialRefunds.id)} then 'partialRefund' else 'void' end`.as('kind'),
      type: sql<ReportedVoid['type']>`${t.type}::text`.as('type'),
      amount: sql<number>`coalesce(${partialRefunds.amount}, ${t.amount})`.as('taken_back'),
      at: sql<Date>`case when ${isVoid} then ${t.voidedAt} else ${t.createdAt} end`.mapWith(t.createdAt).as('at'),
      madeAt: sql<Date>`case ${t.type} when 'sale' then ${t.occurredAt} else ${t.createdAt} end`
        .mapWith(t.createdAt)
        .as('made_at'),
      actor: sql<
        VoidActor['kind']
      >`case when ${isNotNull(users.id)} then 'staff' when ${isNotNull(keyOf.id)} then 'apiKey'
        when ${t.type} = 'topUp' then 'refund' else 'diner' end`.as('actor'),
      actorId: sql<string | null>`coalesce(${users.id}, ${keyOf.id})`.as('actor_id'),
      actorName: sql<string | null>`coalesce(${users.name}, ${keyOf.name})`.as('actor_name'),
      reason: voids.reason,
      storeId: sql<string | null>`${stores.id}`.as('of_store'),
      storeName: sql<string | null>`${stores.name}`.as('store_name'),
      customerId: sql<string | null>`${customers.id}`.as('of_customer'),
      customerName: sql<string | null>`${fullName}`.as('customer_name'),
      isCorrection: sql<boolean>`${and(isVoid, isCorrection)}`.as('is_correction'),
    })
    .from(keys)
    .innerJoin(t, and(ofMerchant, eq(t.uid, keys.uid)))
    .leftJoin(voids, and(eq(voids.merchantId, t.merchantId), eq(voids.id, keys.voidId)))
    .leftJoin(
      staffTopUps,
      and(eq(staffTopUps.merchantId, t.merchantId), eq(staffTopUps.transactionUid, t.uid), isNull(keys.voidId)),
    )
    .leftJoin(users, eq(users.id, sql`coalesce(${voids.userId}, ${staffTopUps.userId})`))
    .leftJoin(
      keyOf,
      and(
        eq(keyOf.merchantId, t.merchantId),
        eq(keyOf.id, sql`case when ${isVoid} then ${voids.apiKeyId} else ${t.apiKeyId} end`),
      ),
    )
    .leftJoin(
      partialRefunds,
      and(eq(partialRefunds.merchantId, t.merchantId), eq(partialRefunds.voidedUid, t.uid), isVoid),
    )
    .leftJoin(stores, and(eq(stores.merchantId, t.merchantId), eq(stores.id, t.storeId)))
    .leftJoin(customers, and(eq(customers.merchantId, t.merchantId), eq(customers.id, t.customerId)));
}

/** Selects the period's voided transactions by their voids' ids, and its cash-outs by their own. */
function selectKeys({ merchantId, db }: Tx, { days, from, to, storeId, isInStore }: Range, page?: Seek) {
  const t = transactions;
  // A store's day may start some hours before or after the merchant's.
  const start = startOfDate(addToDate(from, -1), days).getTime();
  const end = endOfDate(addToDate(to, 1), days).getTime();
  const ids = [firstIdAt(new Date(start - marginMs)), firstIdAt(new Date(end + marginMs))] as const;
  const isWithin = (key: PgColumn, at: PgColumn) =>
    and(
      eq(t.merchantId, merchantId),
      isNotNull(t.amount),
      between(key, ...ids),
      between(storeDateAt(at, days, t.storeId), from, to),
    );
  const seekIn = (order: ListOrder) =>
    page ? seekSql(page, order) : { where: undefined, orderBy: [], limit: maxRows };
  const [byVoid, byUid] = [seekIn(newestFirst), seekIn(newestCashOutFirst)];
  const voided = db
    .select({ key: sql<string>`${t.voidId}`.as('key'), uid: t.uid, voidId: t.voidId })
    .from(t)
    .where(
      and(
        isWithin(t.voidId, t.voidedAt),
        inArray(t.type, [...bookedTypes, 'cashOut']).inlineParams(),
        ifGiven(storeId, (one) => eq(t.storeId, one)),
        isInStore,
        byVoid.where,
      ),
    )
    .orderBy(...byVoid.orderBy)
    .limit(byVoid.limit);
  const ofStore = db
    .select({ uid: t.uid })
    .from(t)
    .where(
      and(
        isWithin(t.uid, t.createdAt),
        eq(t.storeId, stores.id),
        inArray(t.facet, [facetOf('cashOut', 'completed'), facetOf('cashOut', 'voided')]),
        eq(t.type, 'cashOut').inlineParams(),
        byUid.where,
      ),
    )
    .orderBy(...byUid.orderBy)
    .limit(byUid.limit)
    .as('paid_out');
  const paidOut = db
    .select({ key: sql<string>`${ofStore.uid}`.as('key'), uid: ofStore.uid, voidId: sql<string | null>`null::uuid` })
    .from(stores)
    .crossJoinLateral(ofStore)
    .where(
      and(
        eq(stores.merchantId, merchantId),
        ifGiven(storeId, (one) => eq(stores.id, one)),
      ),
    );
  return voided.unionAll(paidOut);
}
