/**
 * Sessions of staff: rows that are found by the hash of their cookie's token. A session that has ended opens nothing
 * (ADR 22).
 */

import { and, desc, eq, gt, isNotNull, ne, type SQL } from 'drizzle-orm';
import { withPerson } from '@/db/driver';
import { fieldsOf, fieldsOrNull } from '@/db/query/expressions';
import { personSecondFactor, sessionByToken } from '@/db/query/functions';
import { type Given, only, prepare, type Queries } from '@/db/query/queries';
import { memberships, merchants, staffSessions, users } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import type { Language, Services, StaffRole } from '../kernel/context';
import { newId } from '../kernel/ids';
import { truncateAddress } from '../kernel/networks';
import { hashToken, newToken } from '../kernel/secrets';
import { countAttempt } from '../limits';
import { queueMail } from '../mail';
import { type Browser, describeUserAgent } from './browser';
import { knownDevice, rememberDevice } from './devices';
import { recordPersonEvent } from './security-events';

export interface Membership {
  merchantId: string;
  merchantName: string;
  role: StaffRole;
  /** The stores that the person works for; null for all. */
  storeIds: string[] | null;
  /** When the merchant starts to demand a second factor that the person lacks; null if they have one or need none. */
  secondFactorFrom: Date | null;
}

/** A signed-in person. */
export interface Staff {
  userId: string;
  name: string;
  email: string;
  memberships: Membership[];
  sessionId: string;
  /** When they last proved in this session who they are, including any second step. */
  confirmedAt: Date;
}

/** How a person takes the second step. */
export type SecondStep = 'authenticator' | 'recoveryCode' | 'passkey';

/** The maximum duration of a session, even with use. */
export const sessionSeconds = 7 * 24 * 60 * 60;
/** The maximum time without a request. The next user of a shared computer should have to sign in. */
export const idleSeconds = 12 * 60 * 60;
/** How long a session waits for the second step. */
const waitingSeconds = 10 * 60;
/** The last use is recorded at most this often. */
const seenEverySeconds = 5 * 60;
/** More than a person's browsers. */
const maxListed = 100;
/** Max mails about new browsers to a person in an hour. Someone whose browser keeps no cookies must not be flooded. */
const maxMailsPerHour = 10;

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

interface User {
  userId: string;
  name: string;
  email: string;
  sessionVersion: number;
  language: Language | null;
}

/**
 * Starts a session for a person whose password was right, and returns its token. If the person has a second factor and
 * did not sign in with it, the session opens nothing until the second step (`second-step.ts`), for which they have ten
 * minutes.
 */
export async function startSession(
  services: Services,
  browser: Browser,
  user: User,
  secondStep: SecondStep | null = null,
): Promise<string> {
  const { db, systemClock } = services;
  const { userId, sessionVersion } = user;
  const [token, now] = [newToken(), systemClock.now()];
  const isOpen = await withPerson(db, userId, async ({ db: queries }) => {
    // Waits for a second factor that is being added at this moment.
    await lockPerson(queries, userId);
    const isWaiting = secondStep === null && (await hasSecondFactor(queries, userId));
    const times = {
      createdAt: now,
      lastSeenAt: now,
      confirmedAt: isWaiting ? null : now,
      expiresAt: before(now, isWaiting ? -waitingSeconds : -sessionSeconds),
    };
    const row = { id: newId(now.getTime()), userId, tokenHash: hashToken(token), sessionVersion, ...placeOf(browser) };
    await queries.insert(staffSessions).values({ ...row, ...times });
    // Without a password, it was a passkey alone.
    if (!isWaiting) await recordSignIn(queries, services, browser, user, secondStep && 'passkeyAlone');
    return !isWaiting;
  });
  if (isOpen) completeSignIn(services, browser, user, secondStep);
  return token;
}

const placeOf = ({ userAgent, client }: Browser) => ({
  browser: describeUserAgent(userAgent),
  network: truncateAddress(client),
});

/** Locks the transaction's person, so that changes of their factors and sessions happen one after the other. */
export async function lockPerson(queries: Queries, userId: string) {
  const { id, name, email, sessionVersion, language } = users;
  const columns = { userId: id, name, email, sessionVersion, language };
  return only(await queries.select(columns).from(users).where(eq(id, userId)).for('update'));
}

/** True if the transaction's person has an authenticator app or a passkey. */
export async function hasSecondFactor(queries: Queries, userId: string): Promise<boolean> {
  const { $rows, isSo } = personSecondFactor({ person: userId });
  return only(await queries.select({ isSo }).from($rows)).isSo;
}

/** Records that the transaction's person has just proved in that session who they are. */
export const confirmSession = (queries: Queries, { systemClock }: Services, sessionId: string) =>
  queries.update(staffSessions).set({ confirmedAt: systemClock.now() }).where(eq(staffSessions.id, sessionId));

/**
 * Records a complete sign-in. Notifies the person by mail if they never signed in from this browser before, at most ten
 * times an hour.
 */
export async function recordSignIn(
  queries: Queries,
  services: Services,
  browser: Browser,
  user: User,
  secondStep: SecondStep | 'passkeyAlone' | null,
): Promise<void> {
  const { userId, name, email } = user;
  const isKnown = knownDevice(services, browser, user) !== null;
  const place = placeOf(browser);
  // A stranger's browser must not choose the language of the warning.
  const language = isKnown ? browser.language : (user.language ?? browser.language);
  if (language !== user.language) await queries.update(users).set({ language }).where(eq(users.id, userId));
  const after = secondStep ? { ...place, secondStep } : place;
  await recordPersonEvent(queries, services, { userId, action: 'staff.signIn', after });
  if (isKnown) return;
  const mails = { key: `new browsers of ${userId}`, attempts: maxMailsPerHour, windowSeconds: 60 * 60 };
  if ((await countAttempt({ ...services, db: queries }, mails)).attempts > maxMailsPerHour) return;
  const at = services.systemClock.now().toISOString();
  const letter = { kind: 'newDevice', language, name, ...place, at, url: `${services.publicOrigin}/account` } as const;
  await queueMail(queries, services, { recipient: email, letter });
}

/** After a complete sign-in was stored: remembers the browser, and writes a line to the log. */
export function completeSignIn(services: Services, browser: Browser, user: User, secondStep: SecondStep | null): void {
  const isKnownBrowser = knownDevice(services, browser, user) !== null;
  rememberDevice(services, browser, user);
  logSecurity('staff.signed_in', { userId: user.userId, ...placeOf(browser), isKnownBrowser, secondStep });
}

const findSession = prepare(
  (db, given: Given<{ hash: Buffer; at: Date; activeSince: Date; seenBefore: Date | null }>) => {
    const { $rows, session, person, membership, merchant, storeIds, secondFactorFrom } = sessionByToken(given);
    return db
      .select({
        ...fieldsOf(session, { sessionId: staffSessions.id, confirmedAt: staffSessions.confirmedAt }),
        ...fieldsOf(person, { userId: users.id, name: users.name, email: users.email }),
        ...fieldsOrNull(membership, { role: memberships.role, allStores: memberships.allStores }),
        ...fieldsOrNull(merchant, { merchantId: merchants.id, merchantName: merchants.name }),
        storeIds,
        secondFactorFrom,
      })
      .from($rows);
  },
);

/**
 * Returns a session's person with current data; null if the session has ended. `isUse` is false for requests that a
 * browser makes by itself, which do not keep the session alive.
 */
export async function findStaff(
  { db, systemClock }: Services,
  token: string,
  { isUse = true }: { isUse?: boolean } = {},
): Promise<Staff | null> {
  const now = systemClock.now();
  const rows = await findSession(db.pool, {
    hash: hashToken(token),
    at: now,
    activeSince: before(now, idleSeconds),
    seenBefore: isUse ? before(now, seenEverySeconds) : null,
  });
  const [first] = rows;
  if (!first?.confirmedAt) return null;
  const { sessionId, userId, name, email, confirmedAt } = first;
  const memberships = rows.flatMap(({ merchantId, merchantName, role, allStores, storeIds, secondFactorFrom }) =>
    merchantId && merchantName !== null && role
      ? [{ merchantId, merchantName, role, storeIds: allStores ? null : storeIds, secondFactorFrom }]
      : [],
  );
  return { sessionId, userId, name, email, memberships, confirmedAt };
}

/** Lists the person's sessions, the most recently used first. */
export async function listSessions({ db, systemClock }: Services, { userId, sessionId }: Staff) {
  const { id, browser, network, createdAt, lastSeenAt, confirmedAt, expiresAt, sessionVersion } = staffSessions;
  const now = systemClock.now();
  const isOpen = and(gt(expiresAt, now), isNotNull(confirmedAt));
  const rows = await withPerson(db, userId, ({ db: queries }) =>
    queries
      .select({ sessionId: id, browser, network, createdAt, lastSeenAt })
      .from(staffSessions)
      .innerJoin(users, and(eq(users.id, staffSessions.userId), eq(users.sessionVersion, sessionVersion)))
      .where(and(eq(staffSessions.userId, userId), gt(lastSeenAt, before(now, idleSeconds)), isOpen))
      .orderBy(desc(lastSeenAt), desc(id))
      .limit(maxListed),
  );
  return rows.map((row) => ({ ...row, isThis: row.sessionId === sessionId }));
}

/** Ends one of the person's sessions, from its next request on. Does nothing if it has ended. */
export const endSession = (
  services: Services,
  { userId }: Pick<Staff, 'userId'>,
  { sessionId }: { sessionId: string },
): Promise<void> => endThose(services, userId, 'one', eq(staffSessions.id, sessionId));

/** Ends all other sessions of the person. */
export const endOtherSessions = (services: Services, { userId, sessionId }: Staff): Promise<void> =>
  endThose(services, userId, 'others', ne(staffSessions.id, sessionId));

/** Ends the session of a browser's cookie. */
export const signOut = (services: Services, { userId, token }: { userId: string; token: string }): Promise<void> =>
  endThose(services, userId, 'own', eq(staffSessions.tokenHash, hashToken(token)));

/** Deletes sessions of the person, and records that if there were any. */
async function endThose(services: Services, userId: string, which: 'one' | 'others' | 'own', isThose: SQL) {
  const ended = await withPerson(services.db, userId, async ({ db }) => {
    const { browser, network } = staffSessions;
    const isEnded = and(eq(staffSessions.userId, userId), isThose);
    const sessions = await db.delete(staffSessions).where(isEnded).returning({ browser, network });
    const [first] = sessions;
    if (first && which === 'own') await recordPersonEvent(db, services, { userId, action: 'staff.signOut' });
    else if (first) {
      const after = which === 'one' ? first : { sessions: which };
      await recordPersonEvent(db, services, { userId, action: 'staff.endSessions', after });
    }
    return sessions.length;
  });
  if (ended === 0) return;
  if (which === 'own') logSecurity('staff.signed_out', { userId });
  else logSecurity('staff.sessions_ended', { userId, which, count: ended });
}

/**
 * Deletes the rows of all sessions of the transaction's person. What ends them is a new session version, set in the
 * same transaction: it also ends a session that starts at this moment.
 */
export const deleteSessions = (queries: Queries, userId: string) =>
  queries.delete(staffSessions).where(eq(staffSessions.userId, userId));
