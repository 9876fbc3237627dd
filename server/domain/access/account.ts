/** Changes that people make to their own account, whichever merchants they work for. */
import { and, eq, sql } from 'drizzle-orm';
import { users } from '@/db/schema';
import { throttle } from '@/server/limits/throttle';
import type { Services } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { hashPassword, verifyPassword } from './password';
import { rejectGuessablePassword } from './password-rules';
import type { Staff } from './sign-in';

export async function changeOwnName({ db }: Services, { userId }: Staff, { name }: { name: string }): Promise<void> {
  await db.pool.update(users).set({ name }).where(eq(users.id, userId));
}

/**
 * Sets a new password and signs the person out everywhere, including here. Links to reset the old one stop working.
 * Errors: `invalid_request` for a wrong current password, `too_many_attempts` (ten in 15 minutes),
 * `service_unavailable`.
 */
export async function changeOwnPassword(
  services: Services,
  { userId, email, memberships }: Staff,
  { presentPassword, newPassword }: { presentPassword: string; newPassword: string },
): Promise<void> {
  const { pool } = services.db;
  await throttle(services, { key: `present password ${userId}`, attempts: 10, windowSeconds: 15 * 60 });
  const merchantNames = memberships.map(({ merchantName }) => merchantName);
  await rejectGuessablePassword(newPassword, { email, merchantNames }, 'newPassword');
  const { passwordHash } = users;
  const [user] = await pool.select({ passwordHash }).from(users).where(eq(users.id, userId));
  const isRight = user && (await verifyPassword(presentPassword, user.passwordHash));
  if (!isRight) throw wrongPassword();
  const { count } = await pool
    .update(users)
    .set({ passwordHash: await hashPassword(newPassword), sessionVersion: nextSessionVersion })
    .where(and(eq(users.id, userId), eq(passwordHash, user.passwordHash)));
  if (count === 0) throw wrongPassword();
}

/** Signs out every session of an earlier version. */
const nextSessionVersion = sql`${users.sessionVersion} + 1`;

const wrongPassword = () => invalid('presentPassword', say('notYourPassword'));

/** Ends every session of the person, including this one, from its next request on. */
export async function signOutEverywhere({ db }: Services, { userId }: Staff): Promise<void> {
  await db.pool.update(users).set({ sessionVersion: nextSessionVersion }).where(eq(users.id, userId));
}
