import { and, eq } from 'drizzle-orm';
import { staffMemberships } from '@/db/functions';
import { users } from '@/db/schema';
import { networkOf } from '@/server/limits/client-address';
import { clearThrottle, returnAttempt, throttle } from '@/server/limits/throttle';
import type { Services, StaffRole } from '../kernel/context';
import { verifyPassword } from './password';

export interface Membership {
  merchantId: string;
  merchantName: string;
  role: StaffRole;
}

export interface Staff {
  userId: string;
  name: string;
  email: string;
  memberships: Membership[];
}

/**
 * Compared for an unknown address, so that it takes as long as a wrong password. It matches no password of an account.
 */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$76eB4/FQNyg3vgDYHRdGVg$jHQ3RSKajqkARApC51zvVBqWlg7ETDbiNqHGHomjlR4';

const windowSeconds = 15 * 60;
/** The throttle key of an address, given in lower case. */
export const signInKey = (email: string) => `sign-in ${email}`;

/**
 * Signs a person in; null for a wrong address or password. `client` is the caller's network address. Errors:
 * `too_many_attempts` (in 15 minutes, ten for an address, known or not, or 100 wrong ones from a client),
 * `service_unavailable`.
 */
export async function signIn(
  services: Services,
  { email, password, client }: { email: string; password: string; client: string },
): Promise<{ userId: string; sessionVersion: number } | null> {
  const address = email.trim().toLowerCase();
  const clientKey = `sign-in from ${networkOf(client)}`;
  await throttle(services, { key: clientKey, attempts: 100, windowSeconds });
  await throttle(services, { key: signInKey(address), attempts: 10, windowSeconds });
  const { id, passwordHash, sessionVersion } = users;
  const [user] = await services.db.pool
    .select({ id, passwordHash, sessionVersion })
    .from(users)
    .where(eq(users.email, address));
  const isRight = await verifyPassword(password, user?.passwordHash ?? decoyHash);
  if (!user || !isRight) return null;
  await Promise.all([clearThrottle(services, signInKey(address)), returnAttempt(services, clientKey)]);
  return { userId: user.id, sessionVersion: user.sessionVersion };
}

/** Returns a session's person with current data; null if the person is gone or has signed out everywhere. */
export async function findStaff(
  { db }: Services,
  { userId, sessionVersion }: { userId: string; sessionVersion: number },
): Promise<Staff | null> {
  const { $rows, ...membership } = staffMemberships({ staffUser: userId });
  const [[user], memberships] = await Promise.all([
    db.pool
      .select({ name: users.name, email: users.email })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.sessionVersion, sessionVersion))),
    db.pool.select(membership).from($rows),
  ]);
  return user ? { userId, ...user, memberships } : null;
}
