/** Six-digit WhatsApp codes that prove possession of a phone. */

import { randomInt } from 'node:crypto';
import { and, eq, isNull, lte } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customers, dinerCodes, messages } from '@/db/schema';
import { type Diner, keptId, toE164, type Visitor } from '../identity';
import type { Services } from '../kernel/context';
import { knownFor } from '../kernel/device-marks';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { isPin, sealPin } from '../kernel/secrets';
import { queueMessage } from '../messaging';
import { checkCodeCountry } from './code-countries';
import {
  type Asking,
  BudgetReached,
  type CodeRules,
  countCode,
  countForService,
  countKnownTry,
  countRequest,
  countWrongCode,
  readCodeRules,
  recordLimitReached,
  triesOfCode,
} from './code-limits';
import type { CodeRequest } from './schemas';

const codeSeconds = 10 * 60;
const resendSeconds = 60;

/** The owner of a code, to which its sealed hash is bound. */
const subjectOf = (ids: { merchantId: string; phone: string; codeId: string }): string =>
  `${ids.merchantId}:${ids.phone}:${ids.codeId}`;

/** Reads a phone number as a diner types it. Errors: `invalid_request` at `phone`. */
export function readAsking(services: Services, { merchant, client, device }: Visitor, given: string): Asking {
  const phone = toE164(given, merchant.country, { strict: true });
  if (phone === null) throw invalid('phone', say('notAPhone'));
  return { merchant, client, phone, device: knownFor(services, device, deviceSubject(merchant.id, phone)) };
}

/** Names whom a browser is known for, once a phone has signed in there. */
export const deviceSubject = (merchantId: string, phone: string) => `diner ${merchantId} ${phone}`;

/**
 * Sends a code to a phone, known or not. Returns when the next can be sent. If the last code was sent too recently,
 * sends nothing: that code still works. Errors: `invalid_request` at `phone` for an invalid number or a country that
 * gets no codes; `too_many_attempts`.
 */
export function requestCode(services: Services, visitor: Visitor, { phone }: CodeRequest): Promise<Sent> {
  const asking = readAsking(services, visitor, phone);
  return sendInBudget(services, asking, (tx, { codeCountries }) =>
    checkCodeCountry(tx, asking.merchant, asking.phone, codeCountries),
  );
}

/** Sends a signed-in diner a code for a new PIN, like `requestCode`. Errors: `too_many_attempts`. */
export const requestPinCode = (
  services: Services,
  { merchant, phone, sessionId }: Diner,
  client: string,
): Promise<Sent> => sendInBudget(services, { merchant, client, phone, device: sessionId });

interface Sent {
  resendAfterSeconds: number;
}

/** `check` may refuse in the code's database transaction, before anything is counted or written there. */
async function sendInBudget(
  services: Services,
  asking: Asking,
  check: (tx: Tx, rules: CodeRules) => Promise<void> = async () => {},
): Promise<Sent> {
  const { merchant, phone } = asking;
  await countRequest(services, asking);
  const send = async (tx: Tx) => {
    const rules = await readCodeRules(tx);
    await check(tx, rules);
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const now = services.systemClock.now();
    if (!(await replaceCode(tx, services, { phone, code, now }))) return findResendTime(tx, asking, now);
    await countCode(tx, services, asking, rules);
    await sendCode(tx, services, { phone, code, now: services.clock.now() });
    await countForService(tx, services, asking);
    return { resendAfterSeconds: resendSeconds };
  };
  return withMerchant(services.db, merchant.id, send).catch(async (error) => {
    if (error instanceof BudgetReached) {
      const { budget: limit, maximum } = error;
      await withMerchant(services.db, merchant.id, (tx) =>
        recordLimitReached(tx, services, merchant, { limit, maximum }),
      );
    }
    throw error;
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

/** Errors: `too_many_attempts` if the code that was just sent has no tries left. */
async function findResendTime({ merchantId, db }: Tx, { phone, device }: Asking, now: Date) {
  const [row] = await db
    .select({ sentAt: dinerCodes.sentAt, failures: dinerCodes.failures })
    .from(dinerCodes)
    .where(isOf(merchantId, phone));
  const resendAt = (row?.sentAt ?? now).getTime() + resendSeconds * 1000;
  const resendAfterSeconds = Math.max(1, Math.ceil((resendAt - now.getTime()) / 1000));
  if (row?.failures !== triesOfCode || device !== null) return { resendAfterSeconds };
  throw new DomainError('too_many_attempts', say('tooManyWrongCodes'), { retryAfterSeconds: resendAfterSeconds });
}

/** Sends the code to the customer with this phone, or to the phone if there is none. */
async function sendCode(tx: Tx, services: Services, { phone, code, now }: NewCode): Promise<void> {
  const { merchantId, db } = tx;
  // If the phone's customer was merged into one with another phone, the code goes to this phone.
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

/**
 * Locks and returns the customer with this phone: for a merged customer, the one that was kept. Null if there is none.
 */
export async function findCustomerByPhone({ merchantId, db }: Tx, phone: string): Promise<string | null> {
  const [row] = await db
    .select({ id: keptId })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.phone, phone)))
    .for('share');
  return row?.id ?? null;
}

/**
 * Uses up a phone's code if `guess` is right. Otherwise counts the try, and returns the refusal to be thrown once the
 * count is committed: `code_invalid`, `code_expired`. The row's lock makes concurrent guesses wait for each other. A
 * known browser has its own tries, which strangers can't use up. While a merchant's codes are being guessed, a wrong
 * guess from an unknown browser uses the code up at once. That stops guessers, but no one who has the right code.
 */
export async function consumeCode(
  tx: Tx,
  services: Services,
  { merchant, phone, device }: Pick<Asking, 'merchant' | 'phone' | 'device'>,
  { code: guess, now }: { code: string; now: Date },
): Promise<DomainError | null> {
  const { merchantId, db } = tx;
  const { id, hash, failures, expiresAt } = dinerCodes;
  const [row] = await db
    .select({ id, hash, failures, expiresAt })
    .from(dinerCodes)
    .where(isOf(merchantId, phone))
    .for('update');
  const expired = () => new DomainError('code_expired', say('codeExpired'));
  if (!row || row.expiresAt <= now) return expired();
  const left = device === null ? triesOfCode - row.failures - 1 : await countKnownTry(tx, services, row.id, device);
  if (left < 0) return expired();
  if (isPin(services.pinKey, subjectOf({ merchantId, phone, codeId: row.id }), row.hash, guess)) {
    await db.delete(dinerCodes).where(isOf(merchantId, phone));
    return null;
  }
  const isBeingGuessed = await countWrongCode(tx, services, merchant);
  const attemptsLeft = isBeingGuessed && device === null ? 0 : left;
  if (device === null) {
    await db
      .update(dinerCodes)
      .set({ failures: triesOfCode - attemptsLeft })
      .where(isOf(merchantId, phone));
  }
  return new DomainError('code_invalid', say('codeInvalid'), { attemptsLeft });
}
