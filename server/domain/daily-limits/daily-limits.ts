/** Limits what sales, top-ups and cash-outs give in a day, so that a stolen key or a mistyped bill does limited harm. */

import { subDays } from 'date-fns';
import { and, eq, gte, sql } from 'drizzle-orm';
import { isCheckViolation, type Tx } from '@/db/driver';
import { insertRows, nameOf } from '@/db/query/expressions';
import { apiKeyDays, auditLog } from '@/db/schema';
import { type Actor, auditChange } from '../kernel/audit';
import { dateIn, startOfDate } from '../kernel/calendar';
import type { Merchant } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { firstIdAt } from '../kernel/ids';
import { type Sentence, say } from '../kernel/say';
import type { Account, NewLot } from '../ledger';

/** Points, and stored value with its bonus in minor units. */
interface Gain {
  points: number;
  value: number;
}

interface Giver {
  ctx: { merchant: Merchant; apiKeyId: string | null };
  storeId: string | null;
  customerId: string | null;
  now: Date;
}

type KeyLimit = 'keyDailyPoints' | 'keyDailyValue';
type DailyLimit = 'customerDailyPoints' | 'customerDailyValue' | 'newCustomerDailyValue' | KeyLimit;
type Limit = 'earningSaleLimit' | DailyLimit;

const dailyLimits = [
  'customerDailyPoints',
  'customerDailyValue',
  'newCustomerDailyValue',
  'keyDailyPoints',
  'keyDailyValue',
] as const;

/** Returns the merchant's day on which gains count; null if the merchant sets no limit. */
export function dayOfGains({ ctx: { merchant }, now }: Giver): string | null {
  return dailyLimits.some((limit) => merchant[limit] !== null) ? dateIn(merchant, now) : null;
}

/**
 * Counts a transaction's new lots on its account and for its key, and what was paid out for the key alone. Errors:
 * `limit_exceeded`, and nothing is counted.
 */
export function countGain(
  tx: Tx,
  giver: Giver,
  account: Account,
  { lots = [], paidOut = 0 }: { lots?: NewLot[]; paidOut?: number },
  day: string,
): void {
  const { merchant, apiKeyId } = giver.ctx;
  if (paidOut > 0 && apiKeyId !== null) countForKey(tx, merchant, { apiKeyId, day }, { points: 0, value: paidOut });
  const gain: Gain = { points: 0, value: 0 };
  for (const { part, amount } of lots) gain[part === 'points' ? 'points' : 'value'] += amount;
  if (gain.points + gain.value === 0) return;
  const isSameDay = account.gainedOn === day;
  const customer = add(gain, { points: account.gainedPoints, value: account.gainedValue }, isSameDay);
  // A card payment was checked when it began, and is always credited once it was taken.
  if (giver.storeId !== null) {
    check(merchant, 'customerDailyPoints', customer.points, gain.points);
    check(merchant, 'customerDailyValue', customer.value, gain.value);
  }
  if (apiKeyId !== null) countForKey(tx, merchant, { apiKeyId, day }, gain);
  Object.assign(account, { gainedOn: day, gainedPoints: customer.points, gainedValue: customer.value });
}

const add = (gain: Gain, before: Gain | undefined, isSameDay = true): Gain =>
  before && isSameDay ? { points: before.points + gain.points, value: before.value + gain.value } : { ...gain };

function check(merchant: Merchant, limit: DailyLimit, total: number, gained: number): void {
  const maximum = merchant[limit];
  if (gained > 0 && maximum !== null && total > maximum) {
    throw exceeded(merchant, limit, maximum, total - gained, gained);
  }
}

/** How long a customer who joined is new. */
const newForDays = 7;

interface CardTopUp {
  value: number;
  pending: number;
  credited: number;
  joinedAt: Date;
  now: Date;
}

/**
 * Checks a card top-up when it begins. `pending` and `credited`: what the customer's other card top-ups will add, and have added on
 * this day. What new customers pay at tills does not count towards their limit by card. Errors: `limit_exceeded`.
 */
export function checkCardTopUp(
  merchant: Merchant,
  { gainedOn, gainedValue }: Pick<Account, 'gainedOn' | 'gainedValue'>,
  { value, pending, credited, joinedAt, now }: CardTopUp,
): void {
  const isNew = joinedAt > subDays(now, newForDays);
  if (isNew) check(merchant, 'newCustomerDailyValue', credited + pending + value, value);
  const gained = gainedOn === dateIn(merchant, now) ? gainedValue : 0;
  check(merchant, 'customerDailyValue', gained + pending + value, value);
}

interface KeyDay {
  apiKeyId: string;
  day: string;
}

type KeyGain = KeyDay & Gain & { pointsLimit: number | null; valueLimit: number | null };

/** What the keys of an open database transaction have given in that transaction. */
const keyGains = new WeakMap<Tx, Map<string, KeyGain>>();
/** At least this much was given by keys that reached their limit. Their next requests are refused without trying. */
const known = new Map<string, KeyDay & Gain>();

function countForKey(tx: Tx, merchant: Merchant, keyDay: KeyDay, gain: Gain): void {
  const { keyDailyPoints: pointsLimit, keyDailyValue: valueLimit } = merchant;
  if (pointsLimit === null && valueLimit === null) return;
  const { apiKeyId, day } = keyDay;
  const given = keyGains.get(tx) ?? new Map<string, KeyGain>();
  const here = add(gain, given.get(apiKeyId));
  const before = known.get(apiKeyId);
  const total = add(here, before, before?.day === day);
  check(merchant, 'keyDailyPoints', total.points, gain.points);
  check(merchant, 'keyDailyValue', total.value, gain.value);
  given.set(apiKeyId, { ...keyDay, ...here, pointsLimit, valueLimit });
  keyGains.set(tx, given);
}

const { points, value, pointsLimit, valueLimit } = apiKeyDays;
const writeKeyGains = insertRows(
  apiKeyDays,
  ['apiKeyId', 'day', 'points', 'value', 'pointsLimit', 'valueLimit'],
  sql`(${nameOf(apiKeyDays.merchantId)}, ${nameOf(apiKeyDays.apiKeyId)}, ${nameOf(apiKeyDays.day)}) do update set
    ${nameOf(points)} = ${points} + excluded.${nameOf(points)}, ${nameOf(value)} = ${value} + excluded.${nameOf(value)},
    ${nameOf(pointsLimit)} = excluded.${nameOf(pointsLimit)}, ${nameOf(valueLimit)} = excluded.${nameOf(valueLimit)}`,
);

/**
 * Sends what the keys have given in a database transaction, in the order of their ids. Call it last, because other
 * instances wait for the rows that it locks. The database transaction fails if a limit is exceeded (`keyLimitOf`).
 */
export function sendKeyGains(tx: Tx): void {
  const given = keyGains.get(tx);
  if (!given) return;
  tx.send(
    writeKeyGains(
      tx,
      [...given.values()].sort((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1)),
    ),
  );
}

/** Returns the key's limit that made a database transaction fail; null for any other error. */
export function keyLimitOf(error: unknown): KeyLimit | null {
  if (isCheckViolation(error, 'api_key_days_points')) return 'keyDailyPoints';
  return isCheckViolation(error, 'api_key_days_value') ? 'keyDailyValue' : null;
}

/** Returns the refusal of a transaction whose key has reached a limit. */
export async function refusalByKey(tx: Tx, giver: Giver, limit: KeyLimit): Promise<DomainError> {
  const { merchant } = giver.ctx;
  // Only a key can have a key's limit.
  const apiKeyId = giver.ctx.apiKeyId as string;
  const day = dateIn(merchant, giver.now);
  const [row] = await tx.db
    .select({ points, value })
    .from(apiKeyDays)
    .where(and(eq(apiKeyDays.merchantId, tx.merchantId), eq(apiKeyDays.apiKeyId, apiKeyId), eq(apiKeyDays.day, day)));
  const given = row ?? { points: 0, value: 0 };
  if (known.size >= maxKnown) known.delete(known.keys().next().value as string);
  known.set(apiKeyId, { apiKeyId, day, ...given });
  return exceeded(merchant, limit, merchant[limit] ?? 0, limit === 'keyDailyPoints' ? given.points : given.value, null);
}

const maxKnown = 1_000;

/** Errors: `limit_exceeded` for a sale that is too large to earn points. */
export function checkEarningSale(merchant: Merchant, paid: number): void {
  const { earningSaleLimit } = merchant;
  if (earningSaleLimit !== null && paid > earningSaleLimit) {
    throw exceeded(merchant, 'earningSaleLimit', earningSaleLimit, paid, paid);
  }
}

/** A refusal because of a limit. */
export class LimitExceeded extends DomainError {
  /** The minor units or points that the transaction would have given or paid; null if unknown. */
  readonly attempted: number | null;

  constructor(sentence: Sentence, details: Record<string, unknown>, attempted: number | null) {
    super('limit_exceeded', sentence, details);
    this.attempted = attempted;
  }
}

function exceeded(
  merchant: Merchant,
  limit: Limit,
  maximum: number,
  used: number,
  attempted: number | null,
): LimitExceeded {
  const details = limit === 'earningSaleLimit' ? { limit, maximum, requested: used } : { limit, maximum, used };
  return new LimitExceeded(sentenceOf(merchant, limit, maximum, used), details, attempted);
}

function sentenceOf({ currency }: Merchant, limit: Limit, maximum: number, used: number): Sentence {
  const money = (minor: number) => ({ minor, currency });
  switch (limit) {
    case 'earningSaleLimit':
      return say('earningSaleLimit', { limit: money(maximum) });
    case 'customerDailyPoints':
      return say('customerDailyPoints', { limit: maximum, used });
    case 'customerDailyValue':
    case 'newCustomerDailyValue':
      return say(limit, { limit: money(maximum), used: money(used) });
    case 'keyDailyPoints':
      return say('keyDailyPoints', { limit: maximum, used });
    case 'keyDailyValue':
      return say('keyDailyValue', { limit: money(maximum), used: money(used) });
  }
}

/** Who reached a limit, and for which customer. */
interface Occasion extends Pick<Giver, 'customerId' | 'now'> {
  merchant: Merchant;
  actor: Actor;
}

/** Reports to owners and managers that a limit was reached, once a day for each customer, key and member of staff. */
export async function reportLimit(tx: Tx, occasion: Occasion, { details, attempted }: LimitExceeded): Promise<void> {
  const { merchant, actor, customerId, now } = occasion;
  const limit = String(details.limit);
  const isActors = /^(key|cashier|manager)/.test(limit);
  const id = isActors ? actor.id : customerId;
  if (id === null) return;
  const kind = actor.kind === 'staff' ? 'user' : 'apiKey';
  const subject = { kind: isActors ? kind : 'customer', id };
  const today = firstIdAt(startOfDate(dateIn(merchant, now), merchant));
  const reported = await tx.db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.merchantId, tx.merchantId),
        eq(auditLog.subjectKind, subject.kind),
        eq(auditLog.subjectId, subject.id),
        gte(auditLog.id, today),
        eq(auditLog.action, limitAction),
      ),
    )
    .limit(1);
  if (reported.length > 0) return;
  const [good] = /(Points|Vouchers|Enrolments|SignUps)$/.exec(limit) ?? ['Value'];
  const after = { [limit]: details.maximum, [`attempted${good}`]: attempted };
  await auditChange(tx, actor, limitAction, subject, now, { after });
}

export const limitAction = 'limit.exceeded';

/** Returns how much stored value the customer can still be given today; null without a limit. */
export function valueLeftToday(
  merchant: Merchant,
  { gainedOn, gainedValue }: Pick<Account, 'gainedOn' | 'gainedValue'>,
  now: Date,
): number | null {
  const { customerDailyValue } = merchant;
  if (customerDailyValue === null) return null;
  const used = gainedOn === dateIn(merchant, now) ? gainedValue : 0;
  return Math.max(0, customerDailyValue - used);
}
