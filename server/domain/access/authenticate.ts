import { sql } from 'drizzle-orm';
import type { KeyScope } from '@/db/kinds/lists';
import { fieldsOf, fieldsOrNull, recordset } from '@/db/query/expressions';
import { apiKeyByHash } from '@/db/query/functions';
import { type Given, prepare } from '@/db/query/queries';
import { apiKeys, merchantColumns, stores } from '@/db/schema';
import { batchLookups } from '../kernel/batch-lookups';
import { baseUrlOf } from '../kernel/cells';
import type { PosContext, Services, Store } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { truncateAddress } from '../kernel/networks';
import { say } from '../kernel/say';
import type { Rate } from '../limits';
import { findMoved, readMerchant, withMerchantClock } from '../merchants';
import { hashApiKey, keyEnvironment, namedEnvironment } from './api-key';
import { mayCall, type NeededScope, scopesOf, worksFrom } from './key-access';
import { recordRefusedKey } from './security-events';

/** A request's context, with what its key may do. */
export interface KeyContext extends PosContext {
  rate: Rate;
  scopes: KeyScope[];
  networks: string[];
}

/** The refusal of a valid key that is used from a network outside its list. */
export class NetworkNotAllowed extends DomainError {
  constructor(
    address: string,
    /**
     * The key in whose list of requests the refusal appears. Null for most of many refusals in an hour, so that a thief
     * can't fill the list.
     */
    readonly listedOf: { apiKeyId: string; merchantId: string } | null,
  ) {
    super('network_not_allowed', say('networkNotAllowed', { address }), { address });
  }
}

/**
 * Hashes a key for look-up. Errors: `invalid_api_key`, without a query, for a malformed key or one of the other
 * environment. The message names both environments even for a malformed key, such as a placeholder or a truncated key.
 */
export function hashPresentedKey({ environment }: Services, key: string | undefined): Buffer {
  if (!key) throw new DomainError('invalid_api_key', say('apiKeyMissing'));
  const keyIsFor = namedEnvironment(key);
  if (keyIsFor !== null && keyIsFor !== environment) {
    const names = { sandbox: 'the sandbox', live: 'production' };
    throw new DomainError(
      'invalid_api_key',
      say('apiKeyOfOther', { here: names[environment], there: names[keyIsFor] }),
    );
  }
  if (keyEnvironment(key) === null) throw refuse();
  return hashApiKey(key);
}

/**
 * Loads the context of a POS request by its key's hash (specification, section 5). It is read for each request, so that
 * a revoked key, a closed store or a changed setting takes effect from the next request on. `client` is the caller's
 * network address. Errors: `invalid_api_key`, `network_not_allowed`, `merchant_moved`, `service_unavailable`.
 */
export async function loadPosContext(
  services: Services,
  { hash, client }: { hash: Buffer; client: string },
): Promise<KeyContext> {
  const { db, systemClock, environment } = services;
  const row = await findKey(db.reads, {}, hash.toString('hex'));
  const now = systemClock.now();
  if (!row) throw await refuseUnknown(services, hash);
  if (row.environment !== environment) throw refuse();
  const merchant = await readMerchant(db.pool, row);
  const { apiKeyId, networks } = row;
  if (row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= now)) {
    await recordRefusedKey(services, { apiKeyId, merchant }, 'apiKey.refused');
    throw refuse();
  }
  if (!worksFrom(networks, client)) {
    const isRecorded = await recordRefusedKey(services, { apiKeyId, merchant }, 'apiKey.refuseNetwork', {
      network: truncateAddress(client),
    });
    throw new NetworkNotAllowed(client, isRecorded ? { apiKeyId, merchantId: merchant.id } : null);
  }
  return {
    ...withMerchantClock(services, merchant),
    apiKeyId,
    scopes: scopesOf(row),
    networks,
    rate: { perSecond: row.ratePerSecond, burst: row.rateBurst },
    boundStore: toBoundStore(row),
    merchant,
  };
}

function toBoundStore({ storeId: id, storeCode, storeName: name }: KeyRow): Store | null {
  return id === null || storeCode === null || name === null ? null : { id, storeCode, name };
}

/** The columns of a key that a request needs. */
const keyColumns = {
  apiKeyId: apiKeys.id,
  environment: apiKeys.environment,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  storeId: apiKeys.storeId,
  ratePerSecond: apiKeys.ratePerSecond,
  rateBurst: apiKeys.rateBurst,
  scope: apiKeys.scope,
  scopes: apiKeys.scopes,
  networks: apiKeys.networks,
};

const findKeys = prepare((db, given: Given<{ keys: { hash: string }[] }>) => {
  const asked = recordset('asked', { hash: sql<string>`text` }, given.keys);
  const { $rows, key, merchant, store } = apiKeyByHash({ keyHash: sql`decode(${asked.hash}, 'hex')` });
  return db
    .select({
      hash: asked.hash,
      ...fieldsOf(key, keyColumns),
      ...fieldsOf(merchant, merchantColumns),
      ...fieldsOrNull(store, { storeCode: stores.storeCode, storeName: stores.name }),
    })
    .from(asked.$rows)
    .crossJoin($rows);
});

type KeyRow = Awaited<ReturnType<typeof findKeys>>[number];

/** Requests of all merchants share the look-up of their keys. Many have the same key. */
const findKey = batchLookups(async (reads, _: Record<string, never>, hashes: string[]) => {
  const keys = Array.from(new Set(hashes), (hash) => ({ hash }));
  const found = new Map((await findKeys(reads, { keys })).map((row) => [row.hash, row]));
  return hashes.map((hash) => found.get(hash));
});

/** Refuses a key that lacks the scope of an operation. Errors: `scope_missing`. */
export async function checkScope(services: Services, key: KeyContext, scope: NeededScope): Promise<void> {
  if (mayCall(key.scopes, scope)) return;
  await recordRefusedKey(services, key, 'apiKey.refuseScope', { scope });
  throw new DomainError('scope_missing', say('scopeMissing', { scope }), { scope });
}

/** Loads the context of a POS request from its `x-api-key`. Errors: `invalid_api_key`, `network_not_allowed`. */
export const authenticateKey = async (
  services: Services,
  key: string | undefined,
  client = 'unknown',
): Promise<KeyContext> => loadPosContext(services, { hash: hashPresentedKey(services, key), client });

/** An unknown key may belong to a merchant that has moved to another cell. */
async function refuseUnknown(services: Services, hash: Buffer): Promise<DomainError> {
  const [moved] = await findMoved(services, 'apiKey', hash);
  if (!moved || !services.cell) return refuse();
  if (moved.state === 'arriving') return new DomainError('service_unavailable', say('merchantMoving'));
  const baseUrl = baseUrlOf(services.cell, moved.cell);
  return new DomainError('merchant_moved', say('merchantMoved', { baseUrl }), { baseUrl });
}

const refuse = () => new DomainError('invalid_api_key', say('apiKeyInvalid'));
