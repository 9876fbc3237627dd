import { setImmediate } from 'node:timers/promises';
import type { Row } from 'postgres';
import type { Database } from '@/db/client';
import type { PosContext, Services } from '../core/context';
import { DomainError } from '../core/errors';
import type { Rate } from '../core/rate-limit';
import { hashApiKey, keyEnvironment } from './api-key';
import { toMerchant } from './merchant-row';
import { inTimeOf } from './merchant-time';

/** The hash that a key is kept by. Errors: `invalid_api_key` for what can be no key of this environment, for no query. */
export function hashOfKey({ environment }: Services, key: string | undefined): Buffer {
  if (!key) throw new DomainError('invalid_api_key', 'The header x-api-key is missing.');
  const keyIsFor = keyEnvironment(key);
  if (keyIsFor !== null && keyIsFor !== environment) {
    const names = { sandbox: 'the sandbox', live: 'production' };
    throw new DomainError('invalid_api_key', `This is ${names[environment]}, and the key is for ${names[keyIsFor]}.`);
  }
  if (keyIsFor === null) throw refuse();
  return hashApiKey(key);
}

/**
 * The context of a POS request from the hash of its key (specification, section 5). Looked up for each request, so that a
 * revoked key, a closed store or a switched setting holds from the next one on. Errors: `invalid_api_key`.
 */
export async function contextOfKey(services: Services, hash: Buffer): Promise<PosContext & { rate: Rate }> {
  const { db, systemClock, environment } = services;
  const row = await findKey(db, hash);
  const now = systemClock.now();
  if (!row || row.environment !== environment) throw refuse();
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) throw refuse();
  const merchant = toMerchant(row);
  return {
    ...inTimeOf(services, merchant),
    apiKeyId: row.api_key_id,
    rate: { perSecond: row.rate_per_second, burst: row.rate_burst },
    boundStore: row.store_id === null ? null : { id: row.store_id, storeCode: row.store_code, name: row.store_name },
    merchant,
  };
}

interface LookUp {
  /** In hexadecimal: many requests may show the same key. */
  hashes: Set<string>;
  rows: Promise<Map<string, Row>>;
}

/** What is not sent yet, of each pool. */
const unsent = new WeakMap<Database['reads'], LookUp>();

/** Requests that come in at the same moment share the look-up of their keys: none is answered by one sent before it came. */
async function findKey({ reads }: Database, key: Buffer): Promise<Row | undefined> {
  const hash = key.toString('hex');
  const { hashes, rows } = unsent.get(reads) ?? openLookUp(reads);
  hashes.add(hash);
  return (await rows).get(hash);
}

function openLookUp(reads: Database['reads']): LookUp {
  const hashes = new Set<string>();
  const rows = setImmediate().then(async () => {
    unsent.delete(reads);
    const found = await reads`
      select h.hash, k.* from unnest(${[...hashes]}::text[]) as h (hash)
      cross join authenticate_api_key(decode(h.hash, 'hex')) k`;
    return new Map(found.map((row) => [row.hash, row]));
  });
  const lookUp = { hashes, rows };
  unsent.set(reads, lookUp);
  return lookUp;
}

/** The context of a POS request from its `x-api-key`. Errors: `invalid_api_key`. */
export const authenticate = async (services: Services, key: string | undefined): Promise<PosContext> =>
  contextOfKey(services, hashOfKey(services, key));

const refuse = () => new DomainError('invalid_api_key', 'The API key is not valid.');
