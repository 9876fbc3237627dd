import { eq } from 'drizzle-orm';
import { users } from '@/db/schema';
import { networkOf } from '@/server/limits/client-address';
import { clearThrottle, returnAttempt, throttle } from '@/server/limits/throttle';
import type { Services } from '../kernel/context';
import type { Browser } from './browser';
import { verifyPassword } from './password';
import { startSession } from './sessions';

/**
 * Compared for an unknown address, so that it takes as long as a wrong password. It matches no password of an account.
 */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$76eB4/FQNyg3vgDYHRdGVg$jHQ3RSKajqkARApC51zvVBqWlg7ETDbiNqHGHomjlR4';

const windowSeconds = 15 * 60;
/** The throttle key of an address, given in lower case. */
export const signInKey = (email: string) => `sign-in ${email}`;

/**
 * Signs a person in, and returns their session's token; null for a wrong address or password. Errors:
 * `too_many_attempts` (in 15 minutes, ten for an address, known or not, or 100 wrong ones from a client),
 * `service_unavailable`.
 */
export async function signIn(
  services: Services,
  browser: Browser,
  { email, password }: { email: string; password: string },
): Promise<{ userId: string; token: string } | null> {
  const address = email.trim().toLowerCase();
  const clientKey = `sign-in from ${networkOf(browser.client)}`;
  await throttle(services, { key: clientKey, attempts: 100, windowSeconds });
  await throttle(services, { key: signInKey(address), attempts: 10, windowSeconds });
  const { id: userId, name, passwordHash, sessionVersion, language } = users;
  const [user] = await services.db.pool
    .select({ userId, name, email: users.email, passwordHash, sessionVersion, language })
    .from(users)
    .where(eq(users.email, address));
  const isRight = await verifyPassword(password, user?.passwordHash ?? decoyHash);
  if (!user || !isRight) return null;
  await Promise.all([clearThrottle(services, signInKey(address)), returnAttempt(services, clientKey)]);
  return { userId: user.userId, token: await startSession(services, browser, user) };
}
