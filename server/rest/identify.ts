import type { PosContext, Services } from '@/server/domain/core/context';
import { checkRate, forgetRate, limitRate } from '@/server/domain/core/rate-limit';
import { networkOf } from '@/server/domain/core/throttle';
import { contextOfKey, hashOfKey } from '@/server/domain/merchants/authenticate';
import type { RestRequest } from './handler';

/** Well-formed keys of one network that turn out to be wrong. Others cost no query, and are not counted. */
const wrongKeys = { perSecond: 50, burst: 500 };

/**
 * Whose request it is, told to `trace` before the key's limit is counted. A key over its limit, and a network that tries
 * wrong keys, are refused without a query; a key that works is served whatever others of its network send.
 * Errors: `invalid_api_key`, `rate_limited`.
 */
export async function identify(
  services: Services,
  { apiKey, client }: RestRequest,
  trace: { ctx?: PosContext },
): Promise<PosContext> {
  const hash = hashOfKey(services, apiKey);
  const bucket = `key ${hash.toString('base64url')}`;
  const isGuess = !checkRate(services, bucket) && (await countGuess(services, client));
  const ctx = await contextOfKey(services, hash).catch(async (error) => {
    if (error.code === 'invalid_api_key') {
      // It works no more: from now on it counts as any other that does not.
      forgetRate(services, bucket);
      if (!isGuess) await limitRate(services, guessesOf(client), wrongKeys);
    }
    throw error;
  });
  trace.ctx = ctx;
  await limitRate(services, bucket, ctx.rate);
  return ctx;
}

const guessesOf = (client: string) => `wrong keys from ${networkOf(client)}`;

/** Where wrong keys came from lately, one that is new here is counted before it is looked up. */
async function countGuess(services: Services, client: string): Promise<boolean> {
  const bucket = guessesOf(client);
  const isSuspect = checkRate(services, bucket);
  if (isSuspect) await limitRate(services, bucket, wrongKeys);
  return isSuspect;
}
