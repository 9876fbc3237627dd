import type { PosContext, Services } from '../core/context';
import { DomainError } from '../core/errors';
import { hashApiKey, keyEnvironment } from './api-key';
import { toMerchant } from './merchant-row';
import { inTimeOf } from './merchant-time';

/**
 * The context of a POS request from its `x-api-key` (specification, section 5). One look-up for each request, so that a
 * revoked key, a closed store or a switched setting holds from the next one on. Errors: `invalid_api_key`.
 */
export async function authenticate(services: Services, key: string | undefined): Promise<PosContext> {
  if (!key) throw new DomainError('invalid_api_key', 'The header x-api-key is missing.');
  const { db, systemClock, environment } = services;
  const keyIsFor = keyEnvironment(key);
  if (keyIsFor !== null && keyIsFor !== environment) {
    const names = { sandbox: 'the sandbox', live: 'production' };
    throw new DomainError('invalid_api_key', `This is ${names[environment]}, and the key is for ${names[keyIsFor]}.`);
  }
  if (keyIsFor === null) throw refuse();
  const [row] = await db.sql`select * from authenticate_api_key(${hashApiKey(key)})`;
  const now = systemClock.now();
  if (!row || row.environment !== environment) throw refuse();
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) throw refuse();
  const merchant = toMerchant(row);
  return {
    ...inTimeOf(services, merchant),
    apiKeyId: row.api_key_id,
    boundStore: row.store_id === null ? null : { id: row.store_id, storeCode: row.store_code, name: row.store_name },
    merchant,
  };
}

const refuse = () => new DomainError('invalid_api_key', 'The API key is not valid.');
