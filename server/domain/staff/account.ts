/** What people change about themselves, whichever merchants they work for. */
import type { Services } from '../core/context';
import { invalid } from '../core/errors';
import { throttle } from '../core/throttle';
import { hashPassword, isPassword } from './password';
import { ensureOwnWords } from './password-reset';
import type { Staff } from './sign-in';

export async function changeOwnName({ db }: Services, { userId }: Staff, { name }: { name: string }): Promise<void> {
  await db.sql`update users set name = ${name} where id = ${userId}`;
}

/**
 * Sets a new password and signs out everywhere, here too; links to reset the old one end. Errors: `invalid_request`
 * where the present password is wrong, `too_many_attempts` (ten in 15 minutes), `service_unavailable`.
 */
export async function changeOwnPassword(
  services: Services,
  { userId, email }: Staff,
  { presentPassword, newPassword }: { presentPassword: string; newPassword: string },
): Promise<void> {
  const { sql } = services.db;
  await throttle(services, { key: `present password ${userId}`, attempts: 10, windowSeconds: 15 * 60 });
  ensureOwnWords(newPassword, email, 'newPassword');
  const [user] = await sql`select password_hash from users where id = ${userId}`;
  const isRight = user && (await isPassword(presentPassword, user.password_hash));
  if (!isRight) throw wrongPassword();
  const { count } = await sql`
    update users set password_hash = ${await hashPassword(newPassword)}, session_version = session_version + 1
    where id = ${userId} and password_hash = ${user.password_hash}`;
  if (count === 0) throw wrongPassword();
}

const wrongPassword = () => invalid('presentPassword', 'is not your password');

/** Ends every session of the person, this one too, at its next request. */
export async function signOutEverywhere({ db }: Services, { userId }: Staff): Promise<void> {
  await db.sql`update users set session_version = session_version + 1 where id = ${userId}`;
}
