import { randomInt } from 'node:crypto';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withMerchant } from '@/db/driver';
import { type Given, only, prepare } from '@/db/query/queries';
import { customerPins, messages } from '@/db/schema';
import type { Services, TransactionContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { isPin, sealPin } from '../kernel/secrets';
import { isEasyPin } from './easy-pin';

const failuresToLock = 5;
const firstLockSeconds = 15 * 60;
const longestLockSeconds = 24 * 60 * 60;
/**
 * A PIN sent at someone else's request clears wrong tries only up to this many locks. Each clearing counts as a lock.
 */
const maxClearingResets = 3;

/** Creates a random PIN to send, from a cryptographic source. It is never one that customers may not choose. */
export function randomPin(): string {
  const pin = String(randomInt(10_000)).padStart(4, '0');
  return isEasyPin(pin) ? randomPin() : pin;
}

/** The wrong-try counters of the customer's row. */
export type PinState = Pick<typeof customerPins.$inferSelect, 'failures' | 'lockouts' | 'lockedUntil'>;

/**
 * Returns the counters after a guess. Five wrong guesses in a row lock the PIN for 15 minutes. Each further lock lasts
 * twice as long, up to a day. A right guess resets everything. Returns null for a locked PIN, which is not checked.
 */
export function countGuess(state: PinState, isRight: boolean, now: Date): PinState | null {
  if (state.lockedUntil !== null && state.lockedUntil > now) return null;
  if (isRight) return { failures: 0, lockouts: 0, lockedUntil: null };
  if (state.failures + 1 < failuresToLock) return { ...state, failures: state.failures + 1, lockedUntil: null };
  const seconds = Math.min(firstLockSeconds * 2 ** state.lockouts, longestLockSeconds);
  return { failures: 0, lockouts: state.lockouts + 1, lockedUntil: new Date(now.getTime() + seconds * 1000) };
}

/**
 * Checks a customer's PIN if the merchant requires one. Concurrent guesses wait for the row's lock, so that each is
 * counted before the next is checked. The count is kept even if the redemption fails later. Errors: `pin_required`,
 * `pin_not_set`, `pin_invalid`, `pin_locked`.
 */
export async function checkPin(
  ctx: TransactionContext,
  { customerId, pinLockedUntil }: { customerId: string | null; pinLockedUntil: Date | null },
  pin: string | undefined,
): Promise<void> {
  if (!ctx.merchant.pinRequired) return;
  if (pin === undefined) throw pinMissing();
  // A known lock is refused without reading the row, so that many guesses do not queue for it.
  if (pinLockedUntil !== null && pinLockedUntil > ctx.clock.now()) throw pinLocked(pinLockedUntil, ctx.clock.now());
  const refusal = await withMerchant(ctx.db, ctx.merchant.id, (tx) => guessPin(tx, ctx, customerId ?? '', pin));
  if (refusal) throw refusal;
}

const ofCustomer = (given: Given<{ merchantId: string; customerId: string }>) =>
  and(eq(customerPins.merchantId, given.merchantId), eq(customerPins.customerId, given.customerId));

const lockPin = prepare((db, given: Given<{ merchantId: string; customerId: string }>) => {
  const { hash, failures, lockouts, lockedUntil } = customerPins;
  return db.select({ hash, failures, lockouts, lockedUntil }).from(customerPins).where(ofCustomer(given)).for('update');
});

const writeState = prepare((db, given: Given<PinState & { merchantId: string; customerId: string }>) => {
  const { failures, lockouts, lockedUntil } = given;
  const state = { failures: sql`${failures}`, lockouts: sql`${lockouts}`, lockedUntil: sql`${lockedUntil}` };
  return db.update(customerPins).set(state).where(ofCustomer(given));
});

/**
 * Checks a guess and counts it. Returns the refusal, to be thrown once the count is committed: `pin_not_set`,
 * `pin_invalid`, `pin_locked`.
 */
export async function guessPin(
  { merchantId, db }: Tx,
  { pinKey, clock }: Services,
  customerId: string,
  pin: string,
): Promise<DomainError | null> {
  const [row] = await lockPin(db, { merchantId, customerId });
  if (!row) return new DomainError('pin_not_set', say('pinNotSet'));
  const { hash, ...before } = row;
  const now = clock.now();
  const isRight = isPin(pinKey, customerId, hash, pin);
  const after = countGuess(before, isRight, now);
  if (after === null) return pinLocked(before.lockedUntil ?? now, now);
  if (!isRight || before.failures > 0 || before.lockouts > 0) {
    await writeState(db, { merchantId, customerId, ...after });
  }
  if (isRight) return null;
  return after.lockedUntil === null ? pinInvalid(after.failures) : pinLocked(after.lockedUntil, now);
}

interface NewPin {
  customerId: string;
  pin: string;
  now: Date;
  /** `others`: it is sent to the customer at someone else's request. */
  by: 'customer' | 'others';
}

/**
 * Sets the customer's PIN, clears wrong tries and ends a lock. Returns the end of a lock that stays. A PIN sent at
 * others' request clears tries only up to the third lock since the last right guess, and each clearing counts as a
 * lock. Otherwise a guesser could request a new PIN whenever the tries run out. Requires the balance's lock.
 */
export async function replacePin(
  { merchantId, db }: Tx,
  { pinKey }: Services,
  { customerId, pin, now, by }: NewPin,
): Promise<Date | null> {
  const p = customerPins;
  const lockouts = by === 'customer' ? sql`0` : sql`${p.lockouts} + (${p.failures} > 0)::int`;
  const unlessCleared = (cleared: SQL, kept: SQL | PgColumn) =>
    sql`case when ${lockouts} <= ${maxClearingResets} then ${cleared} else ${kept} end`;
  const hash = sealPin(pinKey, customerId, pin);
  const { lockedUntil } = only(
    await db
      .insert(p)
      .values({ merchantId, customerId, hash, updatedAt: now })
      .onConflictDoUpdate({
        target: [p.merchantId, p.customerId],
        set: {
          hash,
          lockouts: unlessCleared(lockouts, p.lockouts),
          failures: unlessCleared(sql`0`, p.failures),
          lockedUntil: unlessCleared(sql`null`, p.lockedUntil),
          updatedAt: now,
        },
      })
      .returning({ lockedUntil: p.lockedUntil }),
  );
  // Cancel queued messages that carry the old PIN.
  await db
    .update(messages)
    .set({ state: 'failed', secret: null, failure: say('pinReplaced'), updatedAt: now })
    .where(
      and(
        eq(messages.merchantId, merchantId),
        eq(messages.customerId, customerId),
        eq(messages.kind, 'pin'),
        eq(messages.state, 'queued'),
      ),
    );
  return lockedUntil !== null && lockedUntil > now ? lockedUntil : null;
}

export function pinMissing(): DomainError {
  const issues = [{ path: 'pin', sentence: say('required') }];
  return new DomainError('pin_required', say('pinRequired'), {}, issues);
}

function pinInvalid(failures: number): DomainError {
  const attemptsLeft = failuresToLock - failures;
  const sentence = attemptsLeft === 1 ? say('pinInvalidOnce') : say('pinInvalid', { count: attemptsLeft });
  return new DomainError('pin_invalid', sentence, { attemptsLeft });
}

function pinLocked(until: Date, now: Date): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const sentence = minutes === 1 ? say('pinLockedForAMinute') : say('pinLocked', { minutes });
  return new DomainError('pin_locked', sentence, { retryAfterSeconds });
}
