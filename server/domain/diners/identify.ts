import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customers, dinerSessions } from '@/db/schema';
import { checkProfile, fieldTaken, insertCustomer } from '../customers';
import { type Diner, findDiner, openSession, sessionEnd, type Visitor } from '../identity';
import { auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { rememberFor } from '../kernel/device-marks';
import { newId } from '../kernel/ids';
import { countAgainst } from '../limits';
import { readBusiness } from '../merchants';
import type { MessageLanguage } from '../messaging';
import { issueOnJoin, issueOnVerified } from '../vouchers';
import { countTry, hashPhone, returnTry } from './code-limits';
import { consumeCode, deviceSubject, findCustomerByPhone, readAsking } from './codes';
import type { CodeProof, JoinInput } from './schemas';

/**
 * Signs a phone in with the code sent to it. The browser is known from then on. Errors: `invalid_request` for an invalid
 * phone number, `code_invalid`, `code_expired`, `too_many_attempts`.
 */
export async function verifyCode(
  services: Services,
  visitor: Visitor,
  { phone: given, code, language }: CodeProof,
): Promise<{ token: string; isCustomer: boolean }> {
  const asking = readAsking(services, visitor, given);
  const { merchant, phone } = asking;
  const now = services.systemClock.now();
  await countTry(services, asking);
  const outcome = await withMerchant(services.db, merchant.id, async (tx) => {
    const refusal = await consumeCode(tx, services, asking, { code, now });
    if (refusal) return { refusal };
    const customerId = await findCustomerByPhone(tx, phone);
    if (customerId !== null) {
      await noteLanguage(tx, customerId, language);
      await issueOnVerified(tx, merchant, { customerId, now: services.clock.now() });
    }
    return { token: await openSession(tx, { phone, customerId, now }), isCustomer: customerId !== null };
  });
  if (outcome.refusal) throw outcome.refusal;
  await returnTry(services, asking);
  rememberFor(services, visitor.device, deviceSubject(merchant.id, phone));
  return outcome;
}

/** With more, someone could find out which e-mail addresses are known. */
const maxJoinsPerHour = 20;

/**
 * Enrols a diner as a customer, and issues the sign-up vouchers. If the customer already exists, or was enrolled
 * meanwhile, only the consent is recorded. Errors: `customer_exists` at `email` if another customer has it,
 * `invalid_request` for an impossible birthday, `too_many_attempts`.
 */
export async function joinProgramme(services: Services, diner: Diner, input: JoinInput): Promise<void> {
  if (diner.customerId !== null) return;
  const { merchant, phone } = diner;
  const { consent, wantsMessages, language, ...given } = input;
  const [now, signedInAt] = [services.clock.now(), services.systemClock.now()];
  const profile = checkProfile(merchant, { ...given, phone, tags: [] }, now);
  await countAgainst(services, {
    key: `joins of ${merchant.id} by ${hashPhone(services, phone)}`,
    attempts: maxJoinsPerHour,
    windowSeconds: 60 * 60,
  });
  await withMerchant(services.db, merchant.id, async (tx) => {
    const known = await findCustomerByPhone(tx, phone);
    const inserted = newId();
    const existing =
      known === null ? await insertCustomer(tx, merchant, { customerId: inserted, ...profile }, now) : null;
    if (existing?.field === 'email') throw fieldTaken('email');
    // `existing` was enrolled at the same moment.
    const customerId = known ?? existing?.customerId ?? inserted;
    await attachSessions(tx, { phone, customerId, now: signedInAt });
    await noteLanguage(tx, customerId, language);
    // Recorded before vouchers are issued, because it decides whether they are announced.
    const { privacyUrl, isNoted } = await noteConsent(tx, customerId, { wantsMessages, now });
    if (!isNoted) return;
    const isNew = customerId === inserted;
    if (isNew) await issueOnJoin(tx, merchant, { customerId, now, isVerified: true });
    const subject = { kind: 'customer', id: customerId };
    const after = { consent, privacyUrl, wantsMessages };
    await auditChange(tx, { kind: 'diner', id: null }, isNew ? 'customer.join' : 'customer.consent', subject, now, {
      after,
    });
    await announceChange(tx, 'customers');
  });
}

/** Saves the language of the customer's page, which is used for messages from now on. */
async function noteLanguage({ merchantId, db }: Tx, customerId: string, language: MessageLanguage | undefined) {
  if (language === undefined) return;
  const isOther = sql`${customers.language} is distinct from ${language}`;
  await db
    .update(customers)
    .set({ language })
    .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId), isOther));
}

/**
 * Records what the customer agreed to, and when. Does nothing if that is already recorded (`isNoted`), so that a second
 * tap waits for no lock. Returns the merchant's page with the privacy notice.
 */
async function noteConsent(tx: Tx, customerId: string, { wantsMessages, now }: { wantsMessages: boolean; now: Date }) {
  const { merchantId, db } = tx;
  const { privacyAcceptedAt, messagesOptedInAt, messagesOptedOutAt } = customers;
  const choice = wantsMessages ? { messagesOptedInAt: now, messagesOptedOutAt: null } : { messagesOptedOutAt: now };
  const isOther = wantsMessages
    ? or(isNull(messagesOptedInAt), isNotNull(messagesOptedOutAt))
    : isNull(messagesOptedOutAt);
  const [{ privacyUrl }, noted] = await Promise.all([
    readBusiness(tx),
    db
      .update(customers)
      .set({ privacyAcceptedAt: now, ...choice })
      .where(
        and(eq(customers.merchantId, merchantId), eq(customers.id, customerId), or(isNull(privacyAcceptedAt), isOther)),
      )
      .returning({ id: customers.id }),
  ]);
  return { privacyUrl, isNoted: noted.length > 0 };
}

/** Assigns the customer to all sessions in which this phone is signed in. */
async function attachSessions(
  { merchantId, db }: Tx,
  { phone, customerId, now }: { phone: string; customerId: string; now: Date },
): Promise<void> {
  await db
    .update(dinerSessions)
    .set({ customerId, expiresAt: sessionEnd(now, customerId) })
    .where(
      and(
        eq(dinerSessions.merchantId, merchantId),
        eq(dinerSessions.phone, phone),
        isNull(dinerSessions.customerId),
        gt(dinerSessions.expiresAt, now),
      ),
    );
}

/** Returns the person that a page greets, by the cookie's token; null if signed out. */
export async function describeDiner(services: Services, merchant: Merchant, token: string | null) {
  const diner = await findDiner(services, merchant, token);
  if (!diner) return null;
  const { phone, customerId } = diner;
  const [row] = await withMerchant(services.db, merchant.id, ({ merchantId, db }) =>
    db
      .select({ givenName: sql<string>`coalesce(nullif(${customers.givenName}, ''), ${customers.lastName})` })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), eq(customers.id, sql`${customerId}`))),
  );
  return { phone, isCustomer: customerId !== null, givenName: row?.givenName ?? null };
}
