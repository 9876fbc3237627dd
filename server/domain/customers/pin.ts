import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { type Tx, withMerchant } from '@/db/client';
import type { PosContext, Services } from '../core/context';
import { DomainError } from '../core/errors';

const failuresToLock = 5;
const firstLockSeconds = 15 * 60;
const longestLockSeconds = 24 * 60 * 60;
/** A PIN that others have sent clears wrong tries only up to this many locks, and each clearing counts as one. */
const resetsThatClear = 3;

/** What is kept of a PIN. Ten thousand possibilities are searched at once without the key, whatever the hash. */
export function hashPin(pinKey: Buffer, customerId: string, pin: string): Buffer {
  return createHmac('sha256', pinKey).update(`${customerId}:${pin}`).digest();
}

/** A PIN to send, from a cryptographic source. */
export function randomPin(): string {
  return String(randomInt(10_000)).padStart(4, '0');
}

/** The count of wrong tries, as it stands on the customer's row. */
export interface PinState {
  failures: number;
  lockouts: number;
  lockedUntil: Date | null;
}

/**
 * What a guess does to the count: five wrong in a row lock for 15 minutes, doubling with each further lock up to a day;
 * a right one clears all. A locked PIN is not looked at: the answer is null.
 */
export function countGuess(state: PinState, isRight: boolean, now: Date): PinState | null {
  if (state.lockedUntil !== null && state.lockedUntil > now) return null;
  if (isRight) return { failures: 0, lockouts: 0, lockedUntil: null };
  if (state.failures + 1 < failuresToLock) return { ...state, failures: state.failures + 1, lockedUntil: null };
  const seconds = Math.min(firstLockSeconds * 2 ** state.lockouts, longestLockSeconds);
  return { failures: 0, lockouts: state.lockouts + 1, lockedUntil: new Date(now.getTime() + seconds * 1000) };
}

/**
 * Checks a customer's PIN where the merchant requires one. The row's lock makes concurrent guesses wait for each other,
 * so that each is counted before the next is looked at. Kept even if the redemption then fails.
 * Errors: `pin_required`, `pin_not_set`, `pin_invalid`, `pin_locked`.
 */
export async function checkPin(
  ctx: PosContext,
  { customerId, pinLockedUntil }: { customerId: string | null; pinLockedUntil: Date | null },
  pin: string | undefined,
): Promise<void> {
  if (!ctx.merchant.pinRequired) return;
  if (pin === undefined) {
    const issues = [{ path: 'pin', message: 'is required' }];
    throw new DomainError('pin_required', "The customer's PIN is required.", {}, issues);
  }
  // A lock that was seen already needs no look at the row: a storm of guesses does not queue up for it.
  if (pinLockedUntil !== null && pinLockedUntil > ctx.clock.now()) throw pinLocked(pinLockedUntil, ctx.clock.now());
  const refusal = await withMerchant(ctx.db, ctx.merchant.id, (tx) => guessPin(tx, ctx, customerId ?? '', pin));
  if (refusal) throw refusal;
}

/**
 * Looks at a guess, and counts it. Answers the refusal, to be thrown once the count is committed: `pin_not_set`,
 * `pin_invalid`, `pin_locked`.
 */
export async function guessPin(
  { merchantId, sql }: Tx,
  { pinKey, clock }: Services,
  customerId: string,
  pin: string,
): Promise<DomainError | null> {
  const [row] = await sql`
    select hash, failures, lockouts, locked_until from customer_pins
    where merchant_id = ${merchantId} and customer_id = ${customerId} for update`;
  if (!row)
    return new DomainError('pin_not_set', 'The customer has no PIN yet: send one to the customer with forget-pin.');
  const before: PinState = { failures: row.failures, lockouts: row.lockouts, lockedUntil: row.locked_until };
  const now = clock.now();
  const isRight = timingSafeEqual(row.hash, hashPin(pinKey, customerId, pin));
  const after = countGuess(before, isRight, now);
  if (after === null) return pinLocked(before.lockedUntil ?? now, now);
  if (!isRight || before.failures > 0 || before.lockouts > 0) {
    await sql`
      update customer_pins
      set failures = ${after.failures}, lockouts = ${after.lockouts}, locked_until = ${after.lockedUntil}
      where merchant_id = ${merchantId} and customer_id = ${customerId}`;
  }
  if (isRight) return null;
  return after.lockedUntil === null ? pinInvalid(after.failures) : pinLocked(after.lockedUntil, now);
}

interface NewPin {
  customerId: string;
  pin: string;
  now: Date;
  /** Others have it sent to the customer. */
  by: 'customer' | 'others';
}

/**
 * Sets the customer's PIN, clears the count of wrong tries and ends a lock; answers until when it is locked all the same. One
 * that others have sent clears them only up to the third lock since the last right guess, and what it clears counts as one:
 * otherwise somebody who guesses could have a new PIN sent whenever the tries run out. Needs the balance's lock.
 */
export async function replacePin(
  { merchantId, sql }: Tx,
  { pinKey }: Services,
  { customerId, pin, now, by }: NewPin,
): Promise<Date | null> {
  const lockouts = by === 'customer' ? sql`0` : sql`p.lockouts + (p.failures > 0)::int`;
  const clears = sql`${lockouts} <= ${resetsThatClear}`;
  const [row] = await sql`
    insert into customer_pins as p (merchant_id, customer_id, hash, updated_at)
    values (${merchantId}, ${customerId}, ${hashPin(pinKey, customerId, pin)}, ${now})
    on conflict (merchant_id, customer_id) do update set hash = excluded.hash,
      lockouts = case when ${clears} then ${lockouts} else p.lockouts end,
      failures = case when ${clears} then 0 else p.failures end,
      locked_until = case when ${clears} then null else p.locked_until end, updated_at = excluded.updated_at
    returning locked_until`;
  // One that is still on its way would come after this one, and not work.
  await sql`
    update messages set state = 'failed', secret = null, failure = 'replaced by a newer PIN', updated_at = ${now}
    where merchant_id = ${merchantId} and customer_id = ${customerId} and kind = 'pin' and state = 'queued'`;
  const lockedUntil: Date | null = row?.locked_until ?? null;
  return lockedUntil !== null && lockedUntil > now ? lockedUntil : null;
}

function pinInvalid(failures: number): DomainError {
  const attemptsLeft = failuresToLock - failures;
  const left = attemptsLeft === 1 ? 'one try is left' : `${attemptsLeft} tries are left`;
  return new DomainError('pin_invalid', `The PIN is wrong; ${left}.`, { attemptsLeft });
}

function pinLocked(until: Date, now: Date): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const message = `The PIN is locked after too many wrong tries; try again in ${when}.`;
  return new DomainError('pin_locked', message, { retryAfterSeconds });
}
