import type { PosContext, Services } from '@/server/domain/core/context';
import { networkOf } from '@/server/domain/core/network';
import { checkRate, limitRate } from '@/server/domain/core/rate-limit';
import { contextOfKey, hashOfKey } from '@/server/domain/merchants/authenticate';
import { createKnownKeys } from './known-keys';

/** Allowed look-ups of well-formed but wrong keys per network; malformed keys cost no query and are not counted. */
const wrongKeys = { perSecond: 50, burst: 500 };
/** New keys, of networks that have no more wrong ones, that a process looks up at once. */
const mostSuspects = 4;

/** A key that may be one, by its shape. */
interface ShownKey {
  hash: Buffer;
  /** What it is counted and remembered by. */
  name: string;
  /** What it takes up room of: its own where it worked here lately, else that of its network's new keys. */
  slot: string;
  /** Its network; null where it worked here lately. */
  newFrom: string | null;
}

/** Tells whose requests are, and remembers which keys worked; one for each process. */
export function createIdentification() {
  const known = createKnownKeys();
  let suspects = 0;

  /** Where wrong keys came from lately, one that is new here is counted before it is looked up. */
  async function lookUpNew(services: Services, hash: Buffer, network: string) {
    const bucket = `wrong keys from ${network}`;
    let isCounted: boolean;
    try {
      isCounted = checkRate(services, bucket);
      if (isCounted) await limitRate(services, bucket, wrongKeys);
    } catch (error) {
      if ((error as { code?: string }).code !== 'rate_limited' || suspects >= mostSuspects) throw error;
      // It may be a till on the network of somebody who guesses: a few at once are looked up all the same.
      suspects += 1;
      return contextOfKey(services, hash).finally(() => {
        suspects -= 1;
      });
    }
    return contextOfKey(services, hash).catch(async (error) => {
      if (error.code === 'invalid_api_key' && !isCounted) await limitRate(services, bucket, wrongKeys);
      throw error;
    });
  }

  return {
    /** Asks nobody. Errors: `invalid_api_key` for what can be no key. */
    look(services: Services, { apiKey, client }: { apiKey: string | undefined; client: string }): ShownKey {
      const hash = hashOfKey(services, apiKey);
      const name = `key ${hash.toString('base64url')}`;
      if (known.has(name)) return { hash, name, slot: name, newFrom: null };
      const newFrom = networkOf(client);
      return { hash, name, slot: `new keys from ${newFrom}`, newFrom };
    },

    /**
     * Whose request it is, told to `trace` before the key's limit is counted. A key over its limit is refused without a
     * query, and so is one that has not worked here lately, of a network with many wrong ones, but for a few at once. A key
     * that works is served whatever others of its network send. Errors: `invalid_api_key`, `rate_limited`.
     */
    async identify(services: Services, { hash, name, newFrom }: ShownKey, trace: { ctx?: PosContext }) {
      checkRate(services, name);
      const found = newFrom === null ? contextOfKey(services, hash) : lookUpNew(services, hash, newFrom);
      const ctx = await found.catch((error) => {
        // It works no more: from now on it counts as any other that does not.
        if (error.code === 'invalid_api_key') known.forget(name);
        throw error;
      });
      known.remember(name);
      trace.ctx = ctx;
      await limitRate(services, name, ctx.rate);
      return ctx;
    },
  };
}
