/** People with an account for tests, with memberships of several merchants or none. */

import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Sql } from '@/db/driver';
import { only } from '@/db/query/queries';
import { users } from '@/db/schema';
import type { Browser } from '@/server/domain/access/browser';
import { addAuthenticator, newAuthenticator } from '@/server/domain/access/second-factors';
import { findStaff, type Staff, startSession } from '@/server/domain/access/sessions';
import { signIn } from '@/server/domain/access/sign-in';
import type { Services } from '@/server/domain/kernel/context';
import { DomainError } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import type { Letter } from '@/server/domain/mail';
import { listSandboxMails } from '@/server/domain/mail/sandbox-inbox';
import { countAttempt } from './attempts';

export const password = 'correct horse battery';

/** A hash contains its own cost, so that these people's sign-ins are checked quickly. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Creates a person with `password` and no membership. */
export async function createPerson(owner: Sql, address?: string): Promise<{ userId: string; email: string }> {
  const userId = newId();
  const email = address ?? `${userId}@example.com`;
  const password_hash = await hash(password, cheap);
  await owner`insert into users ${owner({ id: userId, email, name: 'Test person', password_hash })}`;
  return { userId, email };
}

/** A browser in which no one has signed in. It keeps its device cookie. */
export function newBrowser(given: Partial<Pick<Browser, 'client' | 'userAgent' | 'language'>> = {}): Browser {
  let cookie: string | undefined;
  const device = {
    read: () => cookie,
    write: (value: string) => {
      cookie = value;
    },
  };
  return { client: '192.0.2.1', userAgent: '', language: 'en', ...given, device };
}

/** Returns a new session and its token. Fails if the person can't sign in. */
export async function openSession(services: Services, email: string, withPassword = password) {
  const session = await signIn(services, newBrowser(), { email, password: withPassword });
  if (!session) throw new Error('the password is wrong');
  return session;
}

/** Returns the token of a new session of the person, without a password. */
export async function sessionOf(services: Services, userId: string): Promise<string> {
  const { id, name, email, sessionVersion, language } = users;
  const found = await services.db.pool
    .select({ userId: id, name, email, sessionVersion, language })
    .from(users)
    .where(eq(id, userId));
  return startSession(services, newBrowser(), only(found));
}

/** Returns the person, in a new session. */
export async function personOf(services: Services, userId: string): Promise<Staff> {
  const person = await findStaff(services, await sessionOf(services, userId));
  if (!person) throw new Error('nobody has this id');
  return person;
}

/** Returns the tokens of links mailed to an address, newest first. */
export async function tokensFor(services: Services, email: string): Promise<string[]> {
  const letters = await lettersTo(services, email);
  return letters
    .filter(({ kind }) => kind === 'invitation' || kind === 'passwordReset')
    .map(({ url }) => url.split('/').at(-1) as string);
}

/** Returns the mails to an address, newest first. */
export async function lettersTo(services: Services, email: string): Promise<Letter[]> {
  const mails = await listSandboxMails(services);
  return mails.filter(({ recipient }) => recipient === email).map(({ letter }) => letter);
}

/** Returns the domain error; fails if there is none. */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  const outcome = await work.catch((error: unknown) => error);
  countAttempt(outcome instanceof DomainError);
  if (!(outcome instanceof DomainError)) throw new Error(`it was not refused: ${outcome}`);
  return outcome;
}

/** Returns the app's code `steps` × 30 seconds from now. Those of -1, 0 and 1 are accepted. */
export const codeOf = ({ systemClock }: Services, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: systemClock.now().getTime() + steps * 30_000 });

/**
 * Adds an authenticator app by its first code, that of the previous 30 seconds. Returns its secret and recovery codes.
 */
export async function addApp(services: Services, person: Staff): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret, sealed } = newAuthenticator(services, person);
  const { recoveryCodes } = await addAuthenticator(services, person, { sealed, code: codeOf(services, secret, -1) });
  return { secret, recoveryCodes };
}
