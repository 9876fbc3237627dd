import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { type Page, seek, seekSql, toPage } from '../core/page';
import type { StaffContext } from '../staff/context';
import { hashApiKey, newApiKey } from './api-key';
import type { CreateApiKeyInput, ListApiKeysInput, RotateApiKeyInput, SetKeyLimitsInput } from './schemas';
import { checkStoreIds } from './store';

export interface ApiKeySummary {
  apiKeyId: string;
  name: string;
  /** What of the key is not secret. */
  prefix: string;
  lastFour: string;
  /** Null: for all stores. */
  store: { storeId: string; storeCode: string; name: string; isClosed: boolean } | null;
  state: 'active' | 'ending' | 'expired' | 'revoked';
  ratePerSecond: number;
  rateBurst: number;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

const newestFirst = { columns: ['k.id'], descending: true };

/** The merchant's keys, newest first. */
export function listApiKeys(ctx: StaffContext, input: ListApiKeysInput): Promise<Page<ApiKeySummary>> {
  const now = ctx.systemClock.now();
  const page = seek(input, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const { where, orderBy, limit } = seekSql(tx, page, newestFirst);
    const isActive = sql`(k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}))`;
    const inState = input.state ? sql`${isActive} = ${input.state === 'active'}` : sql`true`;
    const rows = await sql`
      ${selectKeys(tx)} where k.merchant_id = ${merchantId} and ${inState} and ${where}
      order by ${orderBy} ${limit}`;
    return toPage(
      rows,
      page,
      ({ id }) => [id],
      (row) => toSummary(row, now),
    );
  });
}

/** One key. Errors: `api_key_not_found`. */
export function getApiKey({ db, merchant, systemClock }: StaffContext, { apiKeyId }: { apiKeyId: string }) {
  return withMerchant(db, merchant.id, async (tx) => {
    const [row] = await tx.sql`${selectKeys(tx)} where k.merchant_id = ${tx.merchantId} and k.id = ${apiKeyId}`;
    if (!row) throw apiKeyNotFound();
    return toSummary(row, systemClock.now());
  });
}

const selectKeys = ({ sql }: Tx) => sql`
  select k.id, k.name, k.environment, k.last_four, k.created_at, k.expires_at, k.revoked_at, k.store_id,
    k.rate_per_second, k.rate_burst, s.store_code, s.name as store_name, s.closed_at, r.created_at as last_used_at
  from api_keys k
  left join stores s on s.merchant_id = k.merchant_id and s.id = k.store_id
  left join lateral (
    select created_at from api_requests where merchant_id = k.merchant_id and api_key_id = k.id order by id desc limit 1
  ) r on true`;

function toSummary(row: Row, now: Date): ApiKeySummary {
  const { store_id: storeId, expires_at: expiresAt, revoked_at: revokedAt } = row;
  const ofExpiry = expiresAt === null ? 'active' : expiresAt > now ? 'ending' : 'expired';
  return {
    apiKeyId: row.id,
    name: row.name,
    prefix: `sk_${row.environment}_`,
    lastFour: row.last_four,
    store: storeId && { storeId, storeCode: row.store_code, name: row.store_name, isClosed: row.closed_at !== null },
    state: revokedAt === null ? ofExpiry : 'revoked',
    ratePerSecond: row.rate_per_second,
    rateBurst: row.rate_burst,
    createdAt: row.created_at,
    expiresAt,
    revokedAt,
    lastUsedAt: row.last_used_at,
  };
}

interface NewApiKey {
  apiKeyId: string;
  /** Told this once, and kept nowhere. */
  key: string;
}

/** A new key of this environment, for a store or for all. Errors: `store_not_found`. */
export function createApiKey(ctx: StaffContext, input: CreateApiKeyInput): Promise<NewApiKey> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    if (input.storeId !== null) await checkStoreIds(tx, [input.storeId]);
    return insertKey(tx, ctx, input);
  });
}

/**
 * Replaces a key by a new one with the same name, store and limits; the old one goes on working for so long. Errors:
 * `api_key_not_found`, `api_key_ended` for one that was revoked or replaced before.
 */
export function rotateApiKey(ctx: StaffContext, { apiKeyId, overlapHours }: RotateApiKeyInput): Promise<NewApiKey> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const old = await lockKey(tx, apiKeyId);
    if (old.revoked_at !== null || old.expires_at !== null) {
      throw new DomainError('api_key_ended', 'This key was revoked or replaced already.');
    }
    const { name, store_id: storeId, rate_per_second: ratePerSecond, rate_burst: rateBurst } = old;
    const created = await insertKey(tx, ctx, { name, storeId, ratePerSecond, rateBurst, replaces: apiKeyId });
    const expiresAt = new Date(ctx.systemClock.now().getTime() + overlapHours * 60 * 60_000);
    await sql`update api_keys set expires_at = ${expiresAt} where merchant_id = ${merchantId} and id = ${apiKeyId}`;
    await auditStaff(
      tx,
      ctx,
      'apiKey.rotate',
      { kind: 'apiKey', id: apiKeyId },
      { before: { expiresAt: null }, after: { expiresAt, replacedBy: created.apiKeyId } },
    );
    return created;
  });
}

/** How many requests a key may send, within a second or so. Errors: `api_key_not_found`. */
export function setKeyLimits(ctx: StaffContext, { apiKeyId, ...after }: SetKeyLimitsInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const { rate_per_second: ratePerSecond, rate_burst: rateBurst } = await lockKey(tx, apiKeyId);
    await Promise.all([
      sql`
        update api_keys set rate_per_second = ${after.ratePerSecond}, rate_burst = ${after.rateBurst}
        where merchant_id = ${merchantId} and id = ${apiKeyId}`,
      auditStaff(
        tx,
        ctx,
        'apiKey.setLimits',
        { kind: 'apiKey', id: apiKeyId },
        { before: { ratePerSecond, rateBurst }, after },
      ),
      announce(tx, 'apiKeys'),
    ]);
  });
}

/** Ends a key with the next request. Again: nothing changes. Errors: `api_key_not_found`. */
export function revokeApiKey(ctx: StaffContext, { apiKeyId }: { apiKeyId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const { revoked_at: revokedAt } = await lockKey(tx, apiKeyId);
    if (revokedAt !== null) return;
    await Promise.all([
      sql`
        update api_keys set revoked_at = ${ctx.systemClock.now()} where merchant_id = ${merchantId} and id = ${apiKeyId}`,
      auditStaff(tx, ctx, 'apiKey.revoke', { kind: 'apiKey', id: apiKeyId }),
      announce(tx, 'apiKeys'),
    ]);
  });
}

async function insertKey(
  tx: Tx,
  ctx: StaffContext,
  { name, storeId, ratePerSecond, rateBurst, replaces }: CreateApiKeyInput & { replaces?: string },
): Promise<NewApiKey> {
  const { merchantId, sql } = tx;
  const key = newApiKey(ctx.environment);
  const apiKeyId = newId();
  await Promise.all([
    sql`
      insert into api_keys (merchant_id, id, store_id, name, environment, hash, last_four, rate_per_second,
        rate_burst, created_at)
      values (${merchantId}, ${apiKeyId}, ${storeId}, ${name}, ${ctx.environment}, ${hashApiKey(key)}, ${key.slice(-4)},
        ${ratePerSecond}, ${rateBurst}, ${ctx.systemClock.now()})`,
    auditStaff(
      tx,
      ctx,
      'apiKey.create',
      { kind: 'apiKey', id: apiKeyId },
      { after: { name, storeId, environment: ctx.environment, ratePerSecond, rateBurst, replaces } },
    ),
    announce(tx, 'apiKeys'),
  ]);
  return { apiKeyId, key };
}

async function lockKey({ merchantId, sql }: Tx, apiKeyId: string): Promise<Row> {
  const [row] = await sql`
    select name, store_id, rate_per_second, rate_burst, expires_at, revoked_at from api_keys
    where merchant_id = ${merchantId} and id = ${apiKeyId} for no key update`;
  if (!row) throw apiKeyNotFound();
  return row;
}

export const apiKeyNotFound = () => new DomainError('api_key_not_found', 'There is no such API key.');
