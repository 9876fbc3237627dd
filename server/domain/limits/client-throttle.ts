import type { Services } from '../kernel/context';
import { networkOf, providerOf, siteOf } from '../kernel/networks';
import { type Counting, countAgainst, type Limit, returnAttempt } from './throttle';

/** How many times the limit of one network holds for a /48 and a /32 of IPv6: one client may own thousands of /64s. */
const siteFactor = 5;
const providerFactor = 20;

/** The networks that a client counts for, the narrowest first, with the factor of each one's limit. */
function networksOf(client: string): [network: string, factor: number][] {
  const provider = providerOf(client);
  const network: [string, number] = [networkOf(client), 1];
  return provider === null ? [network] : [network, [siteOf(client), siteFactor], [provider, providerFactor]];
}

const keyIn = (key: string, network: string) => `${key} from ${network}`;

/**
 * Counts an attempt of a client's network, and for IPv6 of those around it. `attempts` is the limit of one. In a
 * database transaction, an attempt that one of them refuses counts in none. Errors: `too_many_attempts`.
 */
export async function throttleClient(counting: Counting, client: string, limit: Limit): Promise<void> {
  for (const [network, factor] of networksOf(client)) {
    await countAgainst(counting, { ...limit, key: keyIn(limit.key, network), attempts: factor * limit.attempts });
  }
}

/** Takes an attempt of a client back after a success. */
export async function returnClientAttempt(services: Services, client: string, key: string): Promise<void> {
  await Promise.all(networksOf(client).map(([network]) => returnAttempt(services, keyIn(key, network))));
}
