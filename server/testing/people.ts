/** People with an account for tests, with memberships of several merchants or of none. */
import { eq } from 'drizzle-orm';
import type postgres from 'postgres';
import { only } from '@/db/queries';
import { users } from '@/db/schema';
import { hashPassword } from '@/server/domain/access/password';
import { findStaff, type Staff, signIn } from '@/server/domain/access/sign-in';
import type { Services } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import { listSandboxMails } from '@/server/domain/mail/sandbox-inbox';

export const password = 'correct horse battery';

/** Creates a person with `password` and no membership. */
export async function createPerson(owner: postgres.Sql, address?: string): Promise<{ userId: string; email: string }> {
  const userId = newId();
  const email = address ?? `${userId}@example.com`;
  const password_hash = await hashPassword(password);
  await owner`insert into users ${owner({ id: userId, email, name: 'Test person', password_hash })}`;
  return { userId, email };
}

/** Returns a new session's content. Fails if the person can't sign in. */
export async function openSession(services: Services, email: string, withPassword = password) {
  const session = await signIn(services, { email, password: withPassword, client: '192.0.2.1' });
  if (!session) throw new Error('the password is wrong');
  return session;
}

export async function personOf(services: Services, userId: string): Promise<Staff> {
  const { sessionVersion } = users;
  const found = await services.db.pool.select({ sessionVersion }).from(users).where(eq(users.id, userId));
  const person = await findStaff(services, { userId, ...only(found) });
  if (!person) throw new Error('nobody has this id');
  return person;
}

/** Returns the tokens of links mailed to an address, newest first. */
export async function tokensFor(services: Services, email: string): Promise<string[]> {
  const mails = await listSandboxMails(services);
  return mails
    .filter(({ recipient }) => recipient === email)
    .map(({ letter }) => letter.url.split('/').at(-1) as string);
}

/** Returns the domain error; fails if there is none. */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof DomainError)) throw new Error(`it was not refused: ${outcome}`);
  return outcome;
}
