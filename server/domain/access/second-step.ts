/** The second step of a sign-in, and the renewed proof of identity before dangerous changes. */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { and, eq, exists, gt, isNull, sql } from 'drizzle-orm';
import { withPerson } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { authenticators, passkeys, staffSessions, users } from '@/db/schema';
import type { Services } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { networkOf } from '../kernel/networks';
import { say } from '../kernel/say';
import { hashToken } from '../kernel/secrets';
import { clearThrottle, countAgainst, returnAttempt } from '../limits';
import type { Browser } from './browser';
import { knownDevice } from './devices';
import { openPasskeyProof, personOfPasskey, wrongPasskey } from './passkeys';
import { verifyPassword } from './password';
import { consumeCode, countRecoveryCodes, isAppCode, mailFactorChange, wrongCode } from './second-factors';
import { recordRefusedStep } from './security-events';
import {
  completeSignIn,
  confirmSession,
  hasSecondFactor,
  lockPerson,
  recordSignIn,
  type SecondStep,
  type Staff,
  sessionSeconds,
  startSession,
} from './sessions';
import { findPassword } from './sign-in';

/** What a browser's session cookie contains. */
export interface SessionCookie {
  userId: string;
  token: string;
}
export type WaitingSession = NonNullable<Awaited<ReturnType<typeof findWaitingSession>>>;

/** Returns the cookie's session and person if the session waits for the second step, else null. */
export async function findWaitingSession({ db, systemClock }: Services, { userId, token }: SessionCookie) {
  const { id, name, email, sessionVersion, language } = users;
  const { userId: ofUser, tokenHash, confirmedAt, expiresAt } = staffSessions;
  const hasApp = sql<boolean>`${authenticators.userId} is not null`;
  const isWaiting = and(isNull(confirmedAt), gt(expiresAt, systemClock.now()));
  const [found] = await withPerson(db, userId, ({ db: queries }) => {
    const ofPerson = queries.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, ofUser));
    const hasPasskey = sql<boolean>`${exists(ofPerson)}`;
    return queries
      .select({ sessionId: staffSessions.id, userId: id, name, email, sessionVersion, language, hasApp, hasPasskey })
      .from(staffSessions)
      .innerJoin(users, and(eq(id, ofUser), eq(sessionVersion, staffSessions.sessionVersion)))
      .leftJoin(authenticators, eq(authenticators.userId, ofUser))
      .where(and(eq(tokenHash, hashToken(token)), eq(ofUser, userId), isWaiting));
  });
  return found ?? null;
}

/** A code of the authenticator app, a recovery code, or a device's response for its passkey. Each works once. */
export type Proof = { code: string } | { passkey: AuthenticationResponseJSON };

/** Finishes a sign-in. Returns how many recovery codes are left after one was used, else null. Errors: `invalid_request`, `too_many_attempts`, `signed_out` if the session ended meanwhile. */
export async function finishSignIn(
  services: Services,
  browser: Browser,
  waiting: WaitingSession,
  proof: Proof,
): Promise<{ recoveryCodesLeft: number | null }> {
  const device = knownDevice(services, browser, waiting);
  const secondStep = await withProof(
    services,
    browser,
    { ...waiting, place: device && `on ${device}`, proof },
    (db, step) => openWaiting(db, services, browser, waiting, step),
  );
  completeSignIn(services, browser, waiting, secondStep);
  const recoveryCodesLeft = secondStep === 'recoveryCode' ? await countRecoveryCodes(services, waiting) : null;
  return { recoveryCodesLeft };
}

async function openWaiting(
  db: Queries,
  services: Services,
  browser: Browser,
  waiting: WaitingSession,
  secondStep: SecondStep,
): Promise<void> {
  const isWaiting = and(eq(staffSessions.id, waiting.sessionId), isNull(staffSessions.confirmedAt));
  const now = services.systemClock.now();
  const times = { confirmedAt: now, expiresAt: new Date(now.getTime() + sessionSeconds * 1000) };
  const { count } = await db.update(staffSessions).set(times).where(isWaiting);
  if (count === 0) throw new DomainError('signed_out', say('signInAgain'));
  await recordSignIn(db, services, browser, waiting, secondStep);
}

/** Confirms the person's identity for the next 15 minutes. Errors: `invalid_request`, `too_many_attempts`. */
export async function confirmWithProof(
  services: Services,
  browser: Browser,
  { userId, sessionId }: Staff,
  proof: Proof,
): Promise<void> {
  await withProof(services, browser, { userId, place: `in ${sessionId}`, proof }, (db) =>
    confirmSession(db, services, sessionId),
  );
}

/**
 * Confirms with the password, for a person without a second factor. Errors: `invalid_request`, `too_many_attempts`,
 * `service_unavailable`.
 */
export async function confirmWithPassword(
  services: Services,
  { userId, email, sessionId }: Staff,
  { presentPassword }: { presentPassword: string },
): Promise<void> {
  const key = `present password ${userId}`;
  await countAgainst(services, { key, attempts: 10, windowSeconds });
  const user = await findPassword(services, email);
  if (!user || !(await verifyPassword(presentPassword, user.passwordHash))) {
    throw invalid('presentPassword', say('notYourPassword'));
  }
  await withPerson(services.db, userId, async ({ db }) => {
    await lockPerson(db, userId);
    if (await hasSecondFactor(db, userId)) throw invalid('presentPassword', say('secondStepNeeded'));
    await confirmSession(db, services, sessionId);
  });
  await clearThrottle(services, key);
}

const windowSeconds = 15 * 60;
const daySeconds = 24 * 60 * 60;

interface Attempt {
  userId: string;
  /** A known browser or a session, which has its own attempts; null for an unknown browser. */
  place: string | null;
  proof: Proof;
}

/**
 * Uses up a proof and runs `work` in one database transaction. Each place may try ten codes of the app in 15 minutes,
 * and 50 in a day. All unknown browsers together count as one place, so that a stolen password does not lock the person
 * out of their own browser. Recovery codes and passkeys can't be guessed, so their tries count by network. Errors:
 * `invalid_request`, `too_many_attempts`, and those of `work`.
 */
async function withProof(
  services: Services,
  browser: Browser,
  { userId, place, proof }: Attempt,
  work: (db: Queries, step: SecondStep) => Promise<unknown>,
): Promise<SecondStep> {
  const isOfApp = 'code' in proof && isAppCode(proof.code);
  const key = isOfApp ? `second step of ${userId} ${place}` : `proof of ${userId} from ${networkOf(browser.client)}`;
  const refuse = (reason: 'proof' | 'throttled') => recordRefusedStep(services, browser, { userId, reason });
  try {
    await countAgainst(services, { key, attempts: 10, windowSeconds });
    await countAgainst(services, { key: `${key} today`, attempts: 50, windowSeconds: daySeconds });
  } catch (error) {
    await refuse('throttled');
    throw error;
  }
  const step = await consumeProof(services, userId, proof, work);
  if (!step) {
    await refuse('proof');
    throw 'code' in proof ? wrongCode(proof.code) : wrongPasskey();
  }
  await Promise.all([clearThrottle(services, key), returnAttempt(services, `${key} today`)]);
  return step;
}

/** Returns null for a wrong proof, which changes nothing. */
async function consumeProof(
  services: Services,
  userId: string,
  proof: Proof,
  work: (db: Queries, step: SecondStep) => Promise<unknown>,
): Promise<SecondStep | null> {
  const consume =
    'code' in proof
      ? (db: Queries) => consumeCode(db, services, { userId, code: proof.code })
      : await openPasskeyProof(services, userId, proof.passkey);
  return withPerson(services.db, userId, async ({ db }) => {
    const step = await consume(db);
    if (!step) return null;
    await work(db, step);
    if (step === 'recoveryCode')
      await mailFactorChange(db, services, await lockPerson(db, userId), { change: 'codeUsed' });
    return step;
  });
}

/**
 * Signs in a person who has proved their identity by a passkey. That counts as both steps. Returns their session's
 * token; null for an unknown passkey. Errors: `too_many_attempts` (100 wrong ones from a network in 15 minutes).
 */
export async function signInWithPasskey(
  services: Services,
  browser: Browser,
  passkey: AuthenticationResponseJSON,
): Promise<{ userId: string; token: string } | null> {
  const key = `passkeys from ${networkOf(browser.client)}`;
  await countAgainst(services, { key, attempts: 100, windowSeconds });
  const userId = personOfPasskey(passkey);
  const consume = userId === null ? null : await openPasskeyProof(services, userId, passkey);
  const user =
    userId !== null && consume
      ? await withPerson(services.db, userId, async ({ db }) => ((await consume(db)) ? lockPerson(db, userId) : null))
      : null;
  if (!user) return null;
  await returnAttempt(services, key);
  return { userId: user.userId, token: await startSession(services, browser, user, 'passkey') };
}
