/** Changes that people make to their own account, across all merchants. */

import { and, eq, sql } from 'drizzle-orm';
import { withPerson } from '@/db/driver';
import { only } from '@/db/query/queries';
import { users } from '@/db/schema';
import { logSecurity } from '@/server/observe/security-log';
import type { Services } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { countAgainst } from '../limits';
import type { Browser } from './browser';
import { rememberDevice } from './devices';
import { hashPassword, verifyPassword } from './password';
import { mailPasswordChanged } from './password-reset';
import { rejectGuessablePassword } from './password-rules';
import { recordPersonEvent } from './security-events';
import { deleteSessions, type Staff } from './sessions';
import { findPassword } from './sign-in';

export async function changeOwnName({ db }: Services, { userId }: Staff, { name }: { name: string }): Promise<void> {
  await withPerson(db, userId, ({ db: queries }) => queries.update(users).set({ name }).where(eq(users.id, userId)));
}

/**
 * Sets a new password, signs the person out everywhere, including here, and notifies them by mail. Links to reset the
 * old password stop working. Errors: `invalid_request` for a wrong current password, `too_many_attempts` (ten in 15
 * minutes), `service_unavailable`.
 */
export async function changeOwnPassword(
  services: Services,
  browser: Browser,
  { userId, email, memberships }: Staff,
  { presentPassword, newPassword }: { presentPassword: string; newPassword: string },
): Promise<void> {
  const { db } = services;
  await countAgainst(services, { key: `present password ${userId}`, attempts: 10, windowSeconds: 15 * 60 });
  const merchantNames = memberships.map(({ merchantName }) => merchantName);
  await rejectGuessablePassword(newPassword, { email, merchantNames }, 'newPassword');
  const user = await findPassword(services, email);
  const isRight = user && (await verifyPassword(presentPassword, user.passwordHash));
  if (!isRight) throw wrongPassword();
  const newHash = await hashPassword(newPassword);
  const sessionVersion = await withPerson(db, userId, async ({ db: queries }) => {
    const [changed] = await queries
      .update(users)
      .set({ passwordHash: newHash, sessionVersion: nextSessionVersion })
      // The second of two concurrent changes finds another version, and changes nothing.
      .where(and(eq(users.id, userId), eq(version, user.sessionVersion)))
      .returning({ userId: users.id, name: users.name, email: users.email, language: users.language, version });
    if (!changed) throw wrongPassword();
    await deleteSessions(queries, userId);
    await mailPasswordChanged(queries, services, changed);
    await recordPersonEvent(queries, services, { userId, action: 'staff.changePassword' });
    return changed.version;
  });
  logSecurity('staff.password_changed', { userId, by: 'person' });
  rememberDevice(services, browser, { userId, sessionVersion });
}

const version = users.sessionVersion;
/** Ends every session of an earlier version. */
const nextSessionVersion = sql`${version} + 1`;

const wrongPassword = () => invalid('presentPassword', say('notYourPassword'));

/** Ends every session of the person, including this one, from its next request on. Only this browser stays known. */
export async function signOutEverywhere(
  services: Services,
  browser: Browser,
  { userId }: Pick<Staff, 'userId'>,
): Promise<void> {
  const { count, sessionVersion } = await withPerson(services.db, userId, async ({ db: queries }) => {
    const isPerson = eq(users.id, userId);
    const set = { sessionVersion: nextSessionVersion };
    const { version: next } = only(await queries.update(users).set(set).where(isPerson).returning({ version }));
    const ended = await deleteSessions(queries, userId);
    await recordPersonEvent(queries, services, { userId, action: 'staff.endSessions', after: { sessions: 'all' } });
    return { count: ended.count, sessionVersion: next };
  });
  logSecurity('staff.sessions_ended', { userId, which: 'all', count });
  rememberDevice(services, browser, { userId, sessionVersion });
}
