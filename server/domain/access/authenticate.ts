import { sql } from 'drizzle-orm';
import { recordset } from '@/db/expressions';
import { authenticateApiKey } from '@/db/functions';
import { type Given, prepare } from '@/db/queries';
import type { Rate } from '@/server/limits/rate-limit';
import { batchLookups } from '../kernel/batch-lookups';
import type { PosContext, Services, Store } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { toMerchant, withMerchantClock } from '../merchants';
import { hashApiKey, keyEnvironment } from './api-key';
import { recordRefusedKey } from './security-events';

/**
 * Hashes a key for look-up. Errors: `invalid_api_key` for a malformed key or one of another environment, without a
 * query.
 */
export function hashPresentedKey({ environment }: Services, key: string | undefined): Buffer {
  if (!key) throw new DomainError('invalid_api_key', say('apiKeyMissing'));
  const keyIsFor = keyEnvironment(key);
  if (keyIsFor !== null && keyIsFor !== environment) {
    const names = { sandbox: 'the sandbox', live: 'production' };
    throw new DomainError(
      'invalid_api_key',
      say('apiKeyOfOther', { here: names[environment], there: names[keyIsFor] }),
    );
  }
  if (keyIsFor === null) throw refuse();
  return hashApiKey(key);
}

/**
 * Loads the context of a POS request by its key's hash (specification, section 5). It is read for each request, so that
 * a revoked key, a closed store or a changed setting applies from the next one on. Errors: `invalid_api_key`.
 */
export async function loadPosContext(services: Services, hash: Buffer): Promise<PosContext & { rate: Rate }> {
  const { db, systemClock, environment } = services;
  const row = await findKey(db.reads, {}, hash.toString('hex'));
  const now = systemClock.now();
  if (!row || row.environment !== environment) throw refuse();
  const merchant = toMerchant(row);
  if (row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= now)) {
    await recordRefusedKey(services, { apiKeyId: row.apiKeyId, merchant });
    throw refuse();
  }
  return {
    ...withMerchantClock(services, merchant),
    apiKeyId: row.apiKeyId,
    rate: { perSecond: row.ratePerSecond, burst: row.rateBurst },
    boundStore: storeOf(row),
    merchant,
  };
}

function storeOf({ storeId: id, storeCode, storeName: name }: KeyRow): Store | null {
  return id === null || storeCode === null || name === null ? null : { id, storeCode, name };
}

const findKeys = prepare((db, given: Given<{ keys: { hash: string }[] }>) => {
  const asked = recordset('asked', { hash: sql<string>`text` }, given.keys);
  const { $rows, ...key } = authenticateApiKey({ keyHash: sql`decode(${asked.hash}, 'hex')` });
  return db
    .select({ hash: asked.hash, ...key })
    .from(asked.$rows)
    .crossJoin($rows);
});

type KeyRow = Awaited<ReturnType<typeof findKeys>>[number];

/** Requests of all merchants share the look-up of their keys, and many show the same one. */
const findKey = batchLookups(async (reads, _: Record<string, never>, hashes: string[]) => {
  const keys = Array.from(new Set(hashes), (hash) => ({ hash }));
  const found = new Map((await findKeys(reads, { keys })).map((row) => [row.hash, row]));
  return hashes.map((hash) => found.get(hash));
});

/** Loads the context of a POS request from its `x-api-key`. Errors: `invalid_api_key`. */
export const authenticate = async (services: Services, key: string | undefined): Promise<PosContext> =>
  loadPosContext(services, hashPresentedKey(services, key));

const refuse = () => new DomainError('invalid_api_key', say('apiKeyInvalid'));
