import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { only, type Queries } from '@/db/query/queries';
import { merchantColumns, merchants } from '@/db/schema';
import { announceChange, type Topic } from '../kernel/changes';
import { type Clock, clockAhead } from '../kernel/clock';
import type { Merchant, Services, StaffContext } from '../kernel/context';
import { uuid } from '../kernel/schemas';
import { loadZone } from './load-zone';

type MerchantRow = Omit<Merchant, 'id' | 'name' | 'quietHours'> & {
  merchantId: string;
  merchantName: string;
  quietFrom: string | null;
  quietUntil: string | null;
};

/**
 * Returns a merchant from a row with `merchantColumns`. It loads the merchant's time zone first, so that its days can
 * be counted.
 */
export async function readMerchant(db: Queries, row: MerchantRow): Promise<Merchant> {
  await loadZone(db, row.timeZone);
  return toMerchant(row);
}

function toMerchant(row: MerchantRow): Merchant {
  return {
    id: row.merchantId,
    name: row.merchantName,
    currency: row.currency,
    country: row.country,
    timeZone: row.timeZone,
    dayStartsAt: row.dayStartsAt,
    locale: row.locale,
    pinRequired: row.pinRequired,
    balanceLimit: row.balanceLimit,
    earningSaleLimit: row.earningSaleLimit,
    customerDailyPoints: row.customerDailyPoints,
    customerDailyValue: row.customerDailyValue,
    newCustomerDailyValue: row.newCustomerDailyValue,
    keyDailyPoints: row.keyDailyPoints,
    keyDailyValue: row.keyDailyValue,
    keyDailySignUps: row.keyDailySignUps,
    earnPoints: row.earnPoints,
    earnPerAmount: row.earnPerAmount,
    pointValue: row.pointValue,
    minRedeemPoints: row.minRedeemPoints,
    pointsExpiryMonths: row.pointsExpiryMonths,
    pointsOnNet: row.pointsOnNet,
    backdatingDays: row.backdatingDays,
    enrolOnSale: row.enrolOnSale,
    signUpNeedsPhone: row.signUpNeedsPhone,
    returnedValueDays: row.returnedValueDays,
    cashOutKeepsBonus: row.cashOutKeepsBonus,
    refusesOwing: row.refusesOwing,
    noPointsPlus: row.noPointsPlus,
    noPointsCategoryIds: row.noPointsCategoryIds,
    clockAheadSeconds: row.clockAheadSeconds,
    noticeKinds: row.noticeKinds,
    eventTypes: row.eventTypes,
    quietHours:
      row.quietFrom === null || row.quietUntil === null ? null : { from: row.quietFrom, until: row.quietUntil },
    cardAccountId: row.cardAccountId,
    cardAccountState: row.cardAccountState,
  };
}

/** Finds a merchant with its current settings; null for an unknown or malformed id, and for a closed merchant. */
export const findMerchant = (services: Services, merchantId: string | null): Promise<Merchant | null> =>
  find(services, merchantId, isNull(merchants.closedAt));

/** Like `findMerchant`, but also finds a closed merchant: for work that must be finished anyway. */
export const findMerchantEvenClosed = (services: Services, merchantId: string): Promise<Merchant | null> =>
  find(services, merchantId);

async function find({ db }: Services, merchantId: string | null, condition?: SQL): Promise<Merchant | null> {
  const { data: id } = uuid.safeParse(merchantId?.toLowerCase());
  if (id === undefined) return null;
  const [row] = await withMerchant(db, id, (tx) =>
    tx.db
      .select(merchantColumns)
      .from(merchants)
      .where(and(eq(merchants.id, id), condition)),
  );
  return row ? readMerchant(db.pool, row) : null;
}

/**
 * Locks the merchant's row until this database transaction ends, and returns its settings. Rows that refer to the
 * merchant share-lock its key. So `update` waits for concurrent inserts of such rows, of which a busy merchant always
 * has some.
 */
export async function lockMerchant(
  { merchantId, db }: Tx,
  strength: 'update' | 'no key update' = 'no key update',
): Promise<Merchant> {
  const row = only(await db.select(merchantColumns).from(merchants).where(eq(merchants.id, merchantId)).for(strength));
  return readMerchant(db, row);
}

/**
 * Runs `work` as one change of `topic`, and notifies open screens. Concurrent changes run one after another, so that
 * positions are never mixed from two changes.
 */
export function changeInTurn<T>(ctx: StaffContext, topic: Topic, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await lockMerchant(tx);
    const result = await work(tx);
    await announceChange(tx, topic);
    return result;
  });
}

type Advanced = Pick<Merchant, 'clockAheadSeconds'>;

/** Returns a merchant's clock. In production it is the machine's, whatever is in the merchant's row. */
export const clockOf = (
  { environment, systemClock }: Pick<Services, 'environment' | 'systemClock'>,
  { clockAheadSeconds }: Advanced,
): Clock =>
  environment === 'live' || clockAheadSeconds === 0 ? systemClock : clockAhead(systemClock, clockAheadSeconds);

/** Returns the services with the merchant's clock. */
export const withMerchantClock = <Own extends Services>(services: Own, merchant: Advanced): Own => ({
  ...services,
  clock: clockOf(services, merchant),
});

/** Returns the services with the clock of a merchant known only by id. */
export async function withMerchantClockById(services: Services, merchantId: string): Promise<Services> {
  if (services.environment === 'live') return services;
  const merchant = await findMerchantEvenClosed(services, merchantId);
  return merchant ? withMerchantClock(services, merchant) : services;
}

/** Reads a merchant and its time within a database transaction of the worker, and whether it was closed meanwhile. */
export async function readMerchantNow(
  { merchantId, db }: Tx,
  services: Services,
): Promise<{ merchant: Merchant; now: Date; isClosed: boolean }> {
  const { closedAt, ...row } = only(
    await db
      .select({ ...merchantColumns, closedAt: merchants.closedAt })
      .from(merchants)
      .where(eq(merchants.id, merchantId)),
  );
  const merchant = await readMerchant(db, row);
  return { merchant, now: clockOf(services, merchant).now(), isClosed: closedAt !== null };
}
