/**
 * Limits how many codes are sent and how many wrong ones can be tried, so that strangers cost little and lock no one
 * out.
 */

import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { merchants } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import { auditChange } from '../kernel/audit';
import { dateIn } from '../kernel/calendar';
import type { Merchant, Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { countAgainst, countAttempt, type Limit, returnAttempt, returnClientAttempt, throttleClient } from '../limits';

const hour = 60 * 60;
const day = 24 * hour;

/** Requests from one network. All guests of a full restaurant share one address. */
const requests = { key: 'codes', attempts: 100, windowSeconds: hour };
/** Wrong codes from one network. */
const wrongCodes = { key: 'wrong codes', attempts: 60, windowSeconds: hour };
/**
 * Codes for one phone at a merchant. With five tries each, one in twenty thousand attackers guesses right within a day.
 */
const codesOfPhone = { attempts: 10, windowSeconds: day };
/** Codes for one phone from all merchants. */
const codesOfPhoneAnywhere = { attempts: 20, windowSeconds: day };
/** The same including codes that signed in, so that the phone's owner can't use up the budgets either. */
const allCodesOfPhone = { attempts: 40, windowSeconds: day };
export const triesOfCode = 5;
/** Wrong codes of all diners of a merchant. Beyond that, a sent code has one try instead of five. */
const maxWrongCodes = 200;
/** This part of each budget is kept for phones that signed in before. */
const keptShare = 0.2;

/** A browser that requests a code, or tries one. */
export interface Asking {
  merchant: Merchant;
  client: string;
  /** E.164. */
  phone: string;
  /** The browser, if this phone signed in there before; else null. Strangers can't use up its attempts. */
  device: string | null;
}

/** Keyed, because there are few enough phone numbers to try all hashes. */
export const hashPhone = ({ limitKey }: Services, phone: string): string =>
  createHmac('sha256', limitKey[0].bytes).update(phone).digest('base64url');

/**
 * Counts a request for its network, even if no code is sent, unless the browser is known. Errors: `too_many_attempts`.
 */
export async function countRequest(services: Services, { merchant, client, device }: Asking): Promise<void> {
  if (device === null) await countClient(services, merchant, client, requests);
}

const countClient = ({ db, systemClock }: Services, merchant: Merchant, client: string, limit: Limit) =>
  withMerchant(db, merchant.id, (tx) => throttleClient({ db: tx.db, systemClock }, client, limit));

const keyOfPhone = (services: Services, { merchant, phone, device }: Asking): string => {
  const key = `codes of ${merchant.id} to ${hashPhone(services, phone)}`;
  return device === null ? key : `${key} on ${device}`;
};

/** The budgets that can be used up, by the name of their setting or field in the audit log. */
type Budget = 'codesPerHour' | 'codesPerDay' | 'serviceCodesPerHour' | 'serviceCodesPerDay';

/** The refusal of a code because a budget is used up. */
export class BudgetReached extends DomainError {
  constructor(
    readonly budget: Budget,
    readonly maximum: number,
    retryAfterSeconds: number,
  ) {
    super('too_many_attempts', say('codesUsedUp'), { retryAfterSeconds });
  }
}

export const readCodeRules = async ({ merchantId, db }: Tx) =>
  only(
    await db
      .select({
        codesPerHour: merchants.codesPerHour,
        codesPerDay: merchants.codesPerDay,
        codeCountries: merchants.codeCountries,
      })
      .from(merchants)
      .where(eq(merchants.id, merchantId)),
  );

export type CodeRules = Awaited<ReturnType<typeof readCodeRules>>;

/**
 * Counts a code for its phone and merchant, in the database transaction that sends it, so a code that is not sent
 * counts nowhere. Errors: `too_many_attempts`, `BudgetReached`.
 */
export async function countCode(tx: Tx, services: Services, asking: Asking, rules: CodeRules): Promise<void> {
  const counting = { db: tx.db, systemClock: services.systemClock };
  await countAgainst(counting, { ...codesOfPhone, key: keyOfPhone(services, asking) });
  if (asking.device === null) {
    await countAgainst(counting, { ...codesOfPhoneAnywhere, key: `codes to ${hashPhone(services, asking.phone)}` });
  }
  await countAgainst(counting, { ...allCodesOfPhone, key: `all codes to ${hashPhone(services, asking.phone)}` });
  const key = `codes of ${tx.merchantId}`;
  await spend(tx, services, asking, { key, budget: 'codesPerHour', maximum: rules.codesPerHour });
  await spend(tx, services, asking, { key, budget: 'codesPerDay', maximum: rules.codesPerDay });
}

/**
 * Counts a code for the deployment. Call it last, because all diners' codes wait for these rows. Errors:
 * `BudgetReached`.
 */
export async function countForService(tx: Tx, services: Services, asking: Asking): Promise<void> {
  const { perHour, perDay } = services.codeBudget;
  const key = 'codes of the service';
  await spend(tx, services, asking, { key, budget: 'serviceCodesPerHour', maximum: perHour });
  await spend(tx, services, asking, { key, budget: 'serviceCodesPerDay', maximum: perDay });
}

async function spend(
  { db }: Tx,
  { systemClock }: Services,
  { device }: Asking,
  { key, budget, maximum }: { key: string; budget: Budget; maximum: number },
): Promise<void> {
  const windowSeconds = budget.endsWith('Hour') ? hour : day;
  const attempts = device === null ? Math.ceil(maximum * (1 - keptShare)) : maximum;
  const counted = await countAttempt({ db, systemClock }, { key: `${key}: ${budget}`, attempts, windowSeconds });
  if (counted.attempts > attempts) throw new BudgetReached(budget, maximum, counted.retryAfterSeconds);
}

/** Counts a try for its network, unless the browser is known. Errors: `too_many_attempts`. */
export async function countTry(services: Services, { merchant, client, device }: Asking): Promise<void> {
  if (device === null) await countClient(services, merchant, client, wrongCodes);
}

/** Undoes the counts of the code and of its try, after the right code. */
export async function returnTry(services: Services, asking: Asking): Promise<void> {
  const ofDevice = [returnAttempt(services, keyOfPhone(services, asking))];
  const ofStranger = [
    returnAttempt(services, `codes to ${hashPhone(services, asking.phone)}`),
    returnClientAttempt(services, asking.client, wrongCodes.key),
  ];
  await Promise.all(asking.device === null ? [...ofDevice, ...ofStranger] : ofDevice);
}

/** Counts a try of a code in a known browser. Returns how many are left, which is negative after too many. */
export async function countKnownTry(tx: Tx, services: Services, codeId: string, device: string): Promise<number> {
  const limit = { key: `tries of ${codeId} on ${device}`, attempts: triesOfCode, windowSeconds: hour };
  const { attempts } = await countAttempt({ db: tx.db, systemClock: services.systemClock }, limit);
  return triesOfCode - attempts;
}

/** Counts a wrong code for the merchant. Returns whether there were too many in the last hour. */
export async function countWrongCode(tx: Tx, services: Services, merchant: Merchant): Promise<boolean> {
  const limit = { key: `wrong codes of ${merchant.id}`, attempts: maxWrongCodes, windowSeconds: hour };
  const { attempts } = await countAttempt({ db: tx.db, systemClock: services.systemClock }, limit);
  if (attempts <= maxWrongCodes) return false;
  await recordLimitReached(tx, services, merchant, { limit: 'wrongCodesPerHour', maximum: maxWrongCodes });
  return true;
}

/**
 * Records for the merchant and the operator that codes were not sent or are being guessed, once a day for each limit.
 */
export async function recordLimitReached(
  tx: Tx,
  { systemClock, clock }: Services,
  merchant: Merchant,
  { limit, maximum }: { limit: Budget | 'wrongCodesPerHour'; maximum: number },
): Promise<void> {
  const now = clock.now();
  const key = `${limit} of ${merchant.id} on ${dateIn(merchant, now)}`;
  const { attempts } = await countAttempt({ db: tx.db, systemClock }, { key, attempts: 1, windowSeconds: 2 * day });
  if (attempts > 1) return;
  const subject = { kind: 'merchant', id: merchant.id };
  await auditChange(tx, { kind: 'service', id: null }, codesLimitAction, subject, now, { after: { [limit]: maximum } });
  logSecurity('codes.limit_reached', { merchantId: merchant.id, limit, maximum });
}

export const codesLimitAction = 'codes.limitReached';
