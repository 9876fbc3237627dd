import {
  hashPresentedKey,
  type KeyContext,
  loadPosContext,
  logUnknownKey,
  NetworkNotAllowed,
  worksFrom,
} from '@/server/domain/access';
import type { PosContext, Services } from '@/server/domain/kernel/context';
import { networkOf } from '../domain/kernel/networks';
import { checkRate, limitRate } from '../domain/limits';

/** Allowed look-ups of well-formed but wrong keys per network. Malformed keys cost no query and are not counted. */
const wrongKeyLimit = { perSecond: 50, burst: 500 };
/** Max concurrent look-ups of unknown keys from networks past their wrong-key limit. */
const maxSuspectLookups = 4;

/** A well-formed key, which may still be wrong. */
interface PresentedKey {
  hash: Buffer;
  /** Identifies the key in rate limits and among the known keys. */
  name: string;
  /**
   * The load slot that it counts against: its own if it worked here recently, else one shared by its network's new
   * keys.
   */
  slot: string;
  /** The network address of the caller. */
  client: string;
  /** The client's network; null if the key worked here recently, and works from there. */
  newKeyNetwork: string | null;
}

/** Whose request it is. */
export interface KeyTrace {
  ctx?: PosContext;
  refusedKey?: { apiKeyId: string; merchantId: string };
}

/** Identifies who sends a request, and remembers which keys worked. Create one per process. */
export function createKeyIdentifier() {
  const knownKeys = createKnownKeys();
  let suspectLookups = 0;

  /**
   * Looks up a key that is new here. If its network has sent wrong keys recently, the key is counted before the
   * look-up. A right key that does not work from there counts as a wrong one, and not against its own limit: a thief
   * can't use that up.
   */
  async function lookUpNewKey(services: Services, key: PresentedKey, network: string) {
    const bucket = `wrong keys from ${network}`;
    let isCounted: boolean;
    try {
      isCounted = checkRate(services, bucket);
      if (isCounted) await limitRate(services, bucket, wrongKeyLimit);
    } catch (error) {
      if ((error as { code?: string }).code !== 'rate_limited' || suspectLookups >= maxSuspectLookups) throw error;
      // It may be a till on the same network as an attacker: a few are looked up at once all the same.
      suspectLookups += 1;
      return loadPosContext(services, key).finally(() => {
        suspectLookups -= 1;
      });
    }
    return loadPosContext(services, key).catch(async (error) => {
      if (isRefused(error) && !isCounted) await limitRate(services, bucket, wrongKeyLimit);
      throw error;
    });
  }

  return {
    /** Makes no query. Errors: `invalid_api_key` for a malformed key. */
    readKey(services: Services, { apiKey, client }: { apiKey: string | undefined; client: string }): PresentedKey {
      const hash = hashPresentedKey(services, apiKey);
      const name = `key ${hash.toString('base64url')}`;
      if (knownKeys.has(name, client)) return { hash, name, client, slot: name, newKeyNetwork: null };
      const newKeyNetwork = networkOf(client);
      return { hash, name, client, slot: `new keys from ${newKeyNetwork}`, newKeyNetwork };
    },

    /**
     * Finds whose request it is, and sets `trace.ctx` before it counts the key's limit, or `trace.refusedKey` for the
     * list of requests of a key that does not work from there. Refuses two kinds of keys
     * without a query: those over their limit, and those that have not worked here recently from a network with many
     * wrong ones (except a few at once). A working key is served whatever others on its network send. Errors:
     * `invalid_api_key`, `network_not_allowed`, `rate_limited`.
     */
    async identify(services: Services, key: PresentedKey, trace: KeyTrace): Promise<KeyContext> {
      const { name, newKeyNetwork } = key;
      checkRate(services, name);
      const found = newKeyNetwork === null ? loadPosContext(services, key) : lookUpNewKey(services, key, newKeyNetwork);
      const ctx = await found.catch(async (error) => {
        if (error instanceof NetworkNotAllowed && error.listedOf) trace.refusedKey = error.listedOf;
        // It no longer works, or not from there: from now on it counts like any other wrong key.
        if (isRefused(error) && newKeyNetwork === null) knownKeys.forget(name);
        if (error.code === 'invalid_api_key' && newKeyNetwork !== null) await logUnknownKey(services, key.client);
        throw error;
      });
      knownKeys.remember(name, ctx.networks);
      trace.ctx = ctx;
      await limitRate(services, name, ctx.rate);
      return ctx;
    },
  };
}

const isRefused = ({ code }: { code?: string }) => code === 'invalid_api_key' || code === 'network_not_allowed';

const maxKnownKeys = 10_000;
const knownForMs = 7 * 24 * 60 * 60_000;

/**
 * Remembers the keys that worked in the last week with the networks that they are limited to, up to a maximum. They grant
 * nothing: they only show which request is not a guess. Only a working key can displace another.
 */
function createKnownKeys() {
  const known = new Map<string, { at: number; networks: string[] }>();
  const forget = (name: string) => known.delete(name);
  return {
    has(name: string, client: string): boolean {
      const key = known.get(name);
      return key !== undefined && performance.now() - key.at < knownForMs && worksFrom(key.networks, client);
    },
    forget,
    remember(name: string, networks: string[]): void {
      if (!forget(name) && known.size >= maxKnownKeys) forget(known.keys().next().value as string);
      known.set(name, { at: performance.now(), networks });
    },
  };
}
