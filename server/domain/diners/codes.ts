/** Six-digit WhatsApp codes, which prove that someone holds the phone. */
import { randomInt } from 'node:crypto';
import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { customers, dinerCodes, messages } from '@/db/schema';
import { networkOf } from '@/server/limits/client-address';
import { throttle } from '@/server/limits/throttle';
import { keptId, toE164, type Visitor } from '../customers';
import type { Services } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { isPin, sealPin } from '../kernel/secrets';
import { queueMessage } from '../messaging';
import type { CodeRequest } from './schemas';

const codeSeconds = 10 * 60;
const resendSeconds = 60;
const triesOfCode = 5;
/** With five tries each, one in twenty thousand attackers guesses right within a day. */
const maxCodesPerDay = 10;
/** A full restaurant shares one address. */
const maxRequestsPerHour = 100;

/** Whose code it is, which its sealed hash is bound to. */
const subjectOf = (ids: { merchantId: string; phone: string; codeId: string }): string =>
  `${ids.merchantId}:${ids.phone}:${ids.codeId}`;

/** Reads a phone number as a diner types it, and returns E.164. Errors: `invalid_request` at `phone`. */
export function readPhone({ merchant }: Visitor, given: string): string {
  const phone = toE164(given, merchant.country, { strict: true });
  if (phone === null) throw invalid('phone', say('notAPhone'));
  return phone;
}

/**
 * Sends a code to a phone, known or not, and returns when the next can be sent. Requested again too soon, it sends
 * nothing: the earlier code still works. Errors: `invalid_request` for an invalid phone number, `too_many_attempts`.
 */
export async function requestCode(
  services: Services,
  visitor: Visitor,
  { phone: given }: CodeRequest,
): Promise<{ resendAfterSeconds: number }> {
  const phone = readPhone(visitor, given);
  const { merchant, client } = visitor;
  const networkLimit = {
    key: `diner-codes:${networkOf(client)}`,
    attempts: maxRequestsPerHour,
    windowSeconds: 60 * 60,
  };
  await throttle(services, networkLimit);
  return withMerchant(services.db, merchant.id, async (tx) => {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const now = services.systemClock.now();
    if (!(await replaceCode(tx, services, { phone, code, now }))) return findResendTime(tx, phone, now);
    const sent = { key: `diner-code:${merchant.id}:${phone}`, attempts: maxCodesPerDay, windowSeconds: 24 * 60 * 60 };
    await throttle({ db: tx.db, systemClock: services.systemClock }, sent);
    await sendCode(tx, services, { phone, code, now: services.clock.now() });
    return { resendAfterSeconds: resendSeconds };
  });
}

interface NewCode {
  phone: string;
  code: string;
  now: Date;
}

const isOf = (merchantId: string, phone: string) =>
  and(eq(dinerCodes.merchantId, merchantId), eq(dinerCodes.phone, phone));

/** Replaces the phone's code. Returns false if one was sent a moment ago. */
async function replaceCode({ merchantId, db }: Tx, { pinKey }: Services, { phone, code, now }: NewCode) {
  const id = newId(now.getTime());
  const hash = sealPin(pinKey, subjectOf({ merchantId, phone, codeId: id }), code);
  const sent = { id, hash, failures: 0, sentAt: now, expiresAt: new Date(now.getTime() + codeSeconds * 1000) };
  const { count } = await db
    .insert(dinerCodes)
    .values({ merchantId, phone, ...sent })
    .onConflictDoUpdate({
      target: [dinerCodes.merchantId, dinerCodes.phone],
      set: sent,
      setWhere: lte(dinerCodes.sentAt, new Date(now.getTime() - resendSeconds * 1000)),
    });
  return count === 1;
}

/** Errors: `too_many_attempts` if the code that was sent a moment ago has no tries left. */
async function findResendTime({ merchantId, db }: Tx, phone: string, now: Date) {
  const [row] = await db
    .select({ sentAt: dinerCodes.sentAt, failures: dinerCodes.failures })
    .from(dinerCodes)
    .where(isOf(merchantId, phone));
  const resendAt = (row?.sentAt ?? now).getTime() + resendSeconds * 1000;
  const resendAfterSeconds = Math.max(1, Math.ceil((resendAt - now.getTime()) / 1000));
  if (row?.failures !== triesOfCode) return { resendAfterSeconds };
  throw new DomainError('too_many_attempts', say('tooManyWrongCodes'), { retryAfterSeconds: resendAfterSeconds });
}

/** Sends to the customer with this phone, if there is one. */
async function sendCode(tx: Tx, services: Services, { phone, code, now }: NewCode): Promise<void> {
  const { merchantId, db } = tx;
  // To the phone itself where its customer was merged into one with another phone.
  const [customer] = await db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.phone, phone), isNull(customers.mergedInto)))
    .for('share');
  const customerId = customer?.id ?? null;
  const recipient = customerId === null ? { phone } : { customerId };
  // Cancel queued messages that carry the old code.
  await db
    .update(messages)
    .set({ state: 'failed', secret: null, failure: say('codeReplaced'), updatedAt: now })
    .where(
      and(
        eq(messages.merchantId, merchantId),
        eq(messages.kind, 'code').inlineParams(),
        eq(messages.state, 'queued').inlineParams(),
        customerId === null ? eq(messages.phone, phone) : eq(messages.customerId, customerId),
      ),
    );
  await queueMessage(tx, services, { recipient, kind: 'code', secret: code, now });
}

/** Locks and returns the customer with this phone, of a merged one the kept one; null if the merchant has none. */
export async function findCustomerByPhone({ merchantId, db }: Tx, phone: string): Promise<string | null> {
  const [row] = await db
    .select({ id: keptId })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.phone, phone)))
    .for('share');
  return row?.id ?? null;
}

/**
 * Uses up a phone's code if `guess` is right. Otherwise counts the try and returns the refusal, to be thrown once the
 * count is committed: `code_invalid`, `code_expired`. The row's lock makes concurrent guesses wait for each other.
 */
export async function consumeCode(
  { merchantId, db }: Tx,
  { pinKey }: Services,
  { phone, code: guess, now }: NewCode,
): Promise<DomainError | null> {
  const { id, hash, failures, expiresAt } = dinerCodes;
  const [row] = await db
    .select({ id, hash, failures, expiresAt })
    .from(dinerCodes)
    .where(isOf(merchantId, phone))
    .for('update');
  if (!row || row.expiresAt <= now || row.failures >= triesOfCode) {
    return new DomainError('code_expired', say('codeExpired'));
  }
  if (isPin(pinKey, subjectOf({ merchantId, phone, codeId: row.id }), row.hash, guess)) {
    await db.delete(dinerCodes).where(isOf(merchantId, phone));
    return null;
  }
  await db
    .update(dinerCodes)
    .set({ failures: sql`${failures} + 1` })
    .where(isOf(merchantId, phone));
  const attemptsLeft = triesOfCode - row.failures - 1;
  return new DomainError('code_invalid', say('codeInvalid'), { attemptsLeft });
}
