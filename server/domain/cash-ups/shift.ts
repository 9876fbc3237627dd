/** The shift that is open in a store, and how it is closed and corrected. */

import { and, count, desc, eq, gte, isNull, lte, notExists, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { type PaymentMethod, paymentMethods } from '@/db/kinds/lists';
import { cashUpCounts, cashUpEntries, cashUps, stores, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { daysOfStore, startOfDay } from '../kernel/calendar';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { noSuchStore, readStoreDays } from '../merchants';
import { type MovementKind, moved, selectMoney } from './movements';
import type { ByMethod, CloseShiftInput, CorrectCashUpInput } from './schemas';

/** What one person took, paid out or gave back by one payment method. */
export interface ShiftLine {
  userId: string;
  name: string;
  kind: MovementKind;
  method: PaymentMethod;
  count: number;
  /** Minor units, signed: positive for what came in. */
  amount: number;
  /** True if it was recorded too late for the shift before, in which it happened. */
  isLate: boolean;
}

export interface OpenShift {
  since: Date;
  /** The moment up to which the lines count. */
  until: Date;
  lines: ShiftLine[];
  expected: ByMethod;
}

const dayMs = 24 * 60 * 60_000;

/** Returns what a store's staff took since its last cash-up. Errors: `store_not_found`. */
export function getOpenShift(ctx: StaffContext, { storeId }: { storeId: string }): Promise<OpenShift> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const found = await db
      .select({ id: stores.id })
      .from(stores)
      .where(and(eq(stores.merchantId, merchantId), eq(stores.id, storeId)));
    if (found.length === 0) throw noSuchStore();
    const until = ctx.clock.now();
    const since = await findStart(tx, storeId, until);
    const lines = await readShiftLines(tx, { storeId, ...since, until });
    return { since: since.since, until, lines, expected: expectedOf(lines) };
  });
}

interface Start {
  since: Date;
  /** Movements from here on belong to a cash-up. Those before `since` that are in none were late. */
  countedFrom: Date;
}

async function findStart(tx: Tx, storeId: string, now: Date): Promise<Start> {
  const { merchantId, db } = tx;
  const own = and(eq(cashUps.merchantId, merchantId), eq(cashUps.storeId, storeId));
  const [[last], [first], days] = await Promise.all([
    db.select({ until: cashUps.until }).from(cashUps).where(own).orderBy(desc(cashUps.until)).limit(1),
    // The first to end is the first to begin.
    db.select({ since: cashUps.since }).from(cashUps).where(own).orderBy(cashUps.until).limit(1),
    readStoreDays(tx),
  ]);
  if (!last || !first) {
    const since = startOfDay(now, daysOfStore(days, storeId));
    return { since, countedFrom: since };
  }
  const aDayBefore = last.until.getTime() - dayMs;
  return { since: last.until, countedFrom: new Date(Math.max(aDayBefore, first.since.getTime())) };
}

interface Shift extends Start {
  storeId: string;
  until: Date;
}

/** Selects the movements of a shift that are in no cash-up yet. */
function selectOpen(tx: Tx, { storeId, countedFrom, until }: Shift) {
  const { merchantId, db } = tx;
  const money = selectMoney(tx, { from: countedFrom, until });
  const isCounted = db
    .select({ uid: cashUpEntries.transactionUid })
    .from(cashUpEntries)
    .where(
      and(
        eq(cashUpEntries.merchantId, merchantId),
        eq(cashUpEntries.transactionUid, moved.uid),
        eq(cashUpEntries.isVoid, moved.isVoid),
      ),
    );
  const isOpen = and(
    eq(moved.storeId, storeId),
    gte(moved.at, sql`${countedFrom.toISOString()}::timestamptz`),
    lte(moved.at, sql`${until.toISOString()}::timestamptz`),
    notExists(isCounted),
  );
  return { money, isOpen };
}

function readShiftLines(tx: Tx, shift: Shift): Promise<ShiftLine[]> {
  const { money, isOpen } = selectOpen(tx, shift);
  const isLate = sql<boolean>`${moved.at} < ${shift.since.toISOString()}::timestamptz`;
  return tx.db
    .select({
      userId: users.id,
      name: users.name,
      kind: moved.kind,
      method: sql<PaymentMethod>`${moved.method}`,
      count: count(),
      amount: sql<number>`sum(${moved.amount})::bigint`,
      isLate,
    })
    .from(money)
    .innerJoin(users, eq(users.id, moved.userId))
    .where(isOpen)
    .groupBy(users.id, users.name, moved.kind, moved.method, sql`7`)
    .orderBy(users.name, users.id, moved.kind, moved.method);
}

const sumsOf = (amountOf: (method: PaymentMethod) => number): ByMethod =>
  Object.fromEntries(paymentMethods.map((method) => [method, amountOf(method)])) as ByMethod;

const movementColumns = {
  transactionUid: moved.uid,
  isVoid: moved.isVoid,
  method: sql<PaymentMethod>`${moved.method}`,
  amount: sql<number>`${moved.amount}`,
};

const expectedOf = (lines: { method: PaymentMethod; amount: number }[]): ByMethod =>
  sumsOf((method) => lines.reduce((sum, line) => (line.method === method ? sum + line.amount : sum), 0));

const isSame = (a: ByMethod, b: ByMethod): boolean => paymentMethods.every((method) => a[method] === b[method]);

const editedMeanwhile = () => new DomainError('edited_meanwhile', say('editedMeanwhile'));

/**
 * Closes a store's shift with what was counted. Repeating it changes nothing. Errors: `store_not_found`;
 * `edited_meanwhile` if someone closed it otherwise, or something was recorded in it, since the screen showed it.
 */
export function closeShift(ctx: StaffContext, input: CloseShiftInput): Promise<{ cashUpId: string }> {
  const { storeId, expected, counted } = input;
  const until = new Date(input.until);
  if (until > ctx.clock.now()) throw invalid('until', say('inTheFuture'));
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    await lockStore(tx, storeId);
    const since = new Date(input.since);
    const isOfShift = and(eq(cashUps.storeId, storeId), eq(cashUps.since, since), isNull(cashUps.replacesId));
    const done = await findCashUp(tx, isOfShift);
    if (done) return resultOf(isSame((await readCounts(tx, done.id)).counted, counted), done.id);
    const start = await findStart(tx, storeId, until);
    const shift = { storeId, ...start, until };
    const isCurrent = start.since.getTime() === since.getTime() && since < until;
    // Read once: what is recorded meanwhile is in neither the sums nor the entries.
    const { money, isOpen } = selectOpen(tx, shift);
    const movements = await db.select(movementColumns).from(money).where(isOpen);
    if (!isCurrent || !isSame(expectedOf(movements), expected)) throw editedMeanwhile();
    const cashUpId = newId();
    await insertCashUp(tx, ctx, { id: cashUpId, storeId, since, until, replacesId: null, reason: null }, input);
    if (movements.length > 0) {
      await db
        .insert(cashUpEntries)
        .values(movements.map(({ transactionUid, isVoid }) => ({ merchantId, cashUpId, transactionUid, isVoid })));
    }
    return { cashUpId };
  });
}

/** Answers a repeated request like the first. Errors: `edited_meanwhile` if it is another one. */
function resultOf(isRepeated: boolean, cashUpId: string) {
  if (!isRepeated) throw editedMeanwhile();
  return { cashUpId };
}

/**
 * Counts a closed shift again: the earlier cash-up stays as it is, and the correction takes its place. Repeating it
 * changes nothing. Errors: `edited_meanwhile` if there is no such cash-up, or it was corrected otherwise already.
 */
export function correctCashUp(ctx: StaffContext, input: CorrectCashUpInput): Promise<{ cashUpId: string }> {
  const { replacesId, counted, reason } = input;
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const replaced = await findCashUp(tx, eq(cashUps.id, replacesId));
    if (!replaced) throw editedMeanwhile();
    const { storeId, since, until } = replaced;
    await lockStore(tx, storeId);
    const done = await findCashUp(tx, eq(cashUps.replacesId, replacesId));
    if (done) {
      const isRepeated = done.reason === reason && isSame((await readCounts(tx, done.id)).counted, counted);
      return resultOf(isRepeated, done.id);
    }
    const { expected } = await readCounts(tx, replacesId);
    const cashUpId = newId();
    await insertCashUp(tx, ctx, { id: cashUpId, storeId, since, until, replacesId, reason }, { expected, counted });
    return { cashUpId };
  });
}

/** Closings and corrections of a store run one after another. Tills and top-ups don't wait for this lock. */
async function lockStore({ merchantId, db }: Tx, storeId: string): Promise<void> {
  const found = await db
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.merchantId, merchantId), eq(stores.id, storeId)))
    .for('no key update');
  if (found.length === 0) throw noSuchStore();
}

async function findCashUp({ merchantId, db }: Tx, condition: SQL | undefined) {
  const [found] = await db
    .select()
    .from(cashUps)
    .where(and(eq(cashUps.merchantId, merchantId), condition));
  return found;
}

async function readCounts(
  { merchantId, db }: Tx,
  cashUpId: string,
): Promise<{ expected: ByMethod; counted: ByMethod }> {
  const rows = await db
    .select()
    .from(cashUpCounts)
    .where(and(eq(cashUpCounts.merchantId, merchantId), eq(cashUpCounts.cashUpId, cashUpId)));
  const of = (method: PaymentMethod) => rows.find(({ paymentMethod }) => paymentMethod === method);
  return {
    expected: sumsOf((method) => of(method)?.expected ?? 0),
    counted: sumsOf((method) => of(method)?.counted ?? 0),
  };
}

type NewCashUp = Pick<typeof cashUps.$inferSelect, 'id' | 'storeId' | 'since' | 'until' | 'replacesId' | 'reason'>;

async function insertCashUp(
  tx: Tx,
  ctx: StaffContext,
  row: NewCashUp,
  { expected, counted }: { expected: ByMethod; counted: ByMethod },
): Promise<void> {
  const { merchantId, db } = tx;
  const { id: cashUpId, storeId, reason, replacesId } = row;
  await db.insert(cashUps).values({ merchantId, ...row, userId: ctx.staff.userId, createdAt: ctx.clock.now() });
  const differences = sumsOf((method) => counted[method] - expected[method]);
  const action = replacesId === null ? 'cashUp.close' : 'cashUp.correct';
  const after = {
    cashDifference: differences.cash,
    cardDifference: differences.card,
    otherDifference: differences.other,
    reason: reason ?? undefined,
  };
  await Promise.all([
    db.insert(cashUpCounts).values(
      paymentMethods.map((paymentMethod) => ({
        merchantId,
        cashUpId,
        paymentMethod,
        expected: expected[paymentMethod],
        counted: counted[paymentMethod],
      })),
    ),
    auditStaff(tx, ctx, action, { kind: 'store', id: storeId }, { after }),
    announceChange(tx, 'cashUps'),
  ]);
}
