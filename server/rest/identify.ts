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
  /** The name of the key in rate limits and among the known keys. */
  name: string;
  /**
   * The slot in which it is counted: its own if it worked here recently, otherwise one that its network's new keys
   * share.
   */
  slot: string;
  /** The network address of the caller. */
  client: string;
  /** The client's network. Null if the key worked here recently and is allowed on this network. */
  newKeyNetwork: string | null;
}

/** Whom a request comes from. */
export interface KeyTrace {
  ctx?: PosContext;
  refusedKey?: { apiKeyId: string; merchantId: string };
}

/** Identifies the sender of a request, and remembers which keys worked. Create one per process. */
export function createKeyIdentifier() {
  const knownKeys = createKnownKeys();
  let suspectLookups = 0;

  /**
   * Looks up a key that is new here. If its network has sent wrong keys recently, the key is counted before the
   * look-up. A right key on a network that it is not allowed on counts as a wrong key, but not against its own limit,
   * which a thief could use up.
   */
  async function lookUpNewKey(services: Services, key: PresentedKey, network: string) {
    const bucket = `wrong keys from ${network}`;
    let isCounted: boolean;
    try {
      isCounted = checkRate(services, bucket);
      if (isCounted) await limitRate(services, bucket, wrongKeyLimit);
    } catch (error) {
      if ((error as { code?: string }).code !== 'rate_limited' || suspectLookups >= maxSuspectLookups) throw error;
      // It may be a till on an attacker's network, so a few are looked up at once anyway.
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
     * Identifies the sender. Sets `trace.ctx` before the key's limit is counted, or `trace.refusedKey` if the key is
     * not allowed on its network, for the list of requests. Refuses two kinds of keys without a query: those over their
     * limit, and those that have not worked here recently from a network with many wrong ones (except a few at once). A
     * working key is served even if others on its network send wrong ones. Errors: `invalid_api_key`, `network_not_allowed`,
     * `rate_limited`.
     */
    async identify(services: Services, key: PresentedKey, trace: KeyTrace): Promise<KeyContext> {
      const { name, newKeyNetwork } = key;
      checkRate(services, name);
      const found = newKeyNetwork === null ? loadPosContext(services, key) : lookUpNewKey(services, key, newKeyNetwork);
      const ctx = await found.catch(async (error) => {
        if (error instanceof NetworkNotAllowed && error.listedOf) trace.refusedKey = error.listedOf;
        // It no longer works, or not from there. From now on, it counts like any other wrong key.
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
 * Remembers the keys that worked in the last week, with the networks to which they are limited, up to a maximum. They
 * grant nothing: they only show that a request is no guess. Only a working key can displace another one.
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
