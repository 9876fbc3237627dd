import { staffPassword } from '@/db/query/functions';
import type { Services } from '../kernel/context';
import { networkOf } from '../kernel/networks';
import { clearThrottle, countAgainst, returnAttempt, returnClientAttempt, slowDown, throttleClient } from '../limits';
import type { Browser } from './browser';
import { knownDevice } from './devices';
import { verifyPassword } from './password';
import { recordRefusedSignIn } from './security-events';
import { startSession } from './sessions';

/** Compared for an unknown address, so that it takes as long as a wrong password. No account's password matches it. */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$76eB4/FQNyg3vgDYHRdGVg$jHQ3RSKajqkARApC51zvVBqWlg7ETDbiNqHGHomjlR4';

const windowSeconds = 15 * 60;

/**
 * Signs a person in and returns their session's token; null for a wrong address or password. Limits in 15 minutes: ten
 * attempts in a browser where the person signed in before. For other browsers, ten for an address from one network,
 * known or not, and 100 wrong ones from that network in total (somewhat more from a larger IPv6 network). After ten for
 * an address from anywhere, attempts are slowed down, not refused, so that no one can lock a person out. Errors:
 * `too_many_attempts`, `service_unavailable`.
 */
export async function signIn(
  services: Services,
  browser: Browser,
  { email, password }: { email: string; password: string },
): Promise<{ userId: string; token: string } | null> {
  const address = email.trim().toLowerCase();
  const user = await findPassword(services, address);
  const device = user ? knownDevice(services, browser, user) : null;
  // Not awaited, because its duration would reveal whether the address has an account.
  const refuse = (reason: 'password' | 'throttled') =>
    void recordRefusedSignIn(services, browser, { userId: user?.userId ?? null, reason });
  const counted = device
    ? countOnDevice(services, `sign-in of ${user?.userId} on ${device}`)
    : countElsewhere(services, address, browser.client);
  const succeeded = await counted.catch((error) => {
    refuse('throttled');
    throw error;
  });
  const isRight = await verifyPassword(password, user?.passwordHash ?? decoyHash);
  if (!user || !isRight) {
    refuse('password');
    return null;
  }
  await succeeded();
  return { userId: user.userId, token: await startSession(services, browser, user) };
}

/** Counts an attempt. Resolves to a function that undoes the count once the password was right. */
type Counted = Promise<() => Promise<unknown>>;

async function countOnDevice(services: Services, key: string): Counted {
  await countAgainst(services, { key, attempts: 10, windowSeconds });
  return () => clearThrottle(services, key);
}

async function countElsewhere(services: Services, address: string, client: string): Counted {
  const ofClient = 'sign-in';
  const ofBoth = `sign-in ${address} from ${networkOf(client)}`;
  const ofAddress = `sign-in ${address}`;
  await throttleClient(services, client, { key: ofClient, attempts: 100, windowSeconds });
  await countAgainst(services, { key: ofBoth, attempts: 10, windowSeconds });
  await slowDown(services, { key: ofAddress, client, free: 10, windowSeconds });
  return () =>
    Promise.all([
      clearThrottle(services, ofBoth),
      returnClientAttempt(services, client, ofClient),
      returnAttempt(services, ofAddress),
    ]);
}

/** Finds the person with that address (in lower case), with their password's hash. */
export async function findPassword({ db }: Services, address: string) {
  const { $rows, ...columns } = staffPassword({ address });
  const [user] = await db.pool.select(columns).from($rows);
  return user;
}
