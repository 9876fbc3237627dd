import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import type { KeyScope } from '@/db/kinds/lists';
import { apiKeys, apiRequests, stores } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { ifGiven, type Page, seekPage, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import {
  type CreateApiKeyInput,
  checkStoreIds,
  type ListApiKeysInput,
  type RotateApiKeyInput,
  type SetKeyAccessInput,
  type SetKeyLimitsInput,
} from '../merchants';
import { hashApiKey, newApiKey } from './api-key';
import { scopesOf, storedScopes } from './key-access';

export interface ApiKeySummary {
  apiKeyId: string;
  name: string;
  /** The part of the key that is not secret. */
  prefix: string;
  lastFour: string;
  /** Null for a merchant-wide key. */
  store: { storeId: string; storeCode: string; name: string; isClosed: boolean } | null;
  state: 'active' | 'ending' | 'expired' | 'revoked';
  ratePerSecond: number;
  rateBurst: number;
  scopes: KeyScope[];
  /** In CIDR notation; empty for any network. */
  networks: string[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

const newestFirst = { columns: [apiKeys.id], descending: true };

/** Lists the merchant's keys, newest first. */
export function listApiKeys(ctx: StaffContext, input: ListApiKeysInput): Promise<Page<ApiKeySummary>> {
  const now = ctx.systemClock.now();
  const page = seekPage(input, newestFirst);
  const { where, orderBy, limit } = seekSql(page, newestFirst);
  const isActive = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));
  const inState = ifGiven(input.state, (state) => sql`${isActive} = ${state === 'active'}`);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const rows = await selectKeys(tx)
      .where(and(eq(apiKeys.merchantId, tx.merchantId), inState, where))
      .orderBy(...orderBy)
      .limit(limit);
    return toPage(
      rows,
      page,
      ({ apiKeyId }) => [apiKeyId],
      (row) => toSummary(row, now),
    );
  });
}

/** Finds a key. Errors: `api_key_not_found`. */
export function getApiKey({ db, merchant, systemClock }: StaffContext, { apiKeyId }: { apiKeyId: string }) {
  return withMerchant(db, merchant.id, async (tx) => {
    const [row] = await selectKeys(tx).where(isKey(tx, apiKeyId));
    if (!row) throw apiKeyNotFound();
    return toSummary(row, systemClock.now());
  });
}

const isKey = ({ merchantId }: Tx, apiKeyId: string) =>
  and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.id, apiKeyId));

function selectKeys({ db }: Tx) {
  const { id: apiKeyId, name, environment, lastFour, expiresAt, revokedAt } = apiKeys;
  const { ratePerSecond, rateBurst, scope, scopes, networks } = apiKeys;
  const newest = db
    .select({ createdAt: apiRequests.createdAt })
    .from(apiRequests)
    .where(and(eq(apiRequests.merchantId, apiKeys.merchantId), eq(apiRequests.apiKeyId, apiKeyId)))
    .orderBy(desc(apiRequests.id))
    .limit(1)
    .as('newest');
  return db
    .select({
      apiKeyId,
      name,
      environment,
      lastFour,
      store: { storeId: stores.id, storeCode: stores.storeCode, name: stores.name, closedAt: stores.closedAt },
      ratePerSecond,
      rateBurst,
      scope,
      scopes,
      networks,
      createdAt: apiKeys.createdAt,
      expiresAt,
      revokedAt,
      lastUsedAt: newest.createdAt,
    })
    .from(apiKeys)
    .leftJoin(stores, and(eq(stores.merchantId, apiKeys.merchantId), eq(stores.id, apiKeys.storeId)))
    .leftJoinLateral(newest, sql`true`);
}

type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number];

function toSummary({ environment, store, scope, scopes, ...key }: KeyRow, now: Date): ApiKeySummary {
  const { expiresAt, revokedAt } = key;
  const ofExpiry = expiresAt === null ? 'active' : expiresAt > now ? 'ending' : 'expired';
  return {
    ...key,
    prefix: `sk_${environment}_`,
    store: store && toKeyStore(store),
    scopes: scopesOf({ scope, scopes }),
    state: revokedAt === null ? ofExpiry : 'revoked',
  };
}

const toKeyStore = ({ closedAt, ...store }: NonNullable<KeyRow['store']>) => ({
  ...store,
  isClosed: closedAt !== null,
});

interface NewApiKey {
  apiKeyId: string;
  /** Returned only once, and not stored. */
  key: string;
}

/**
 * Creates a key of this environment, for one store or all. Errors: `store_not_found`, `invalid_request` for scopes that
 * a store's key can't have.
 */
export function createApiKey(ctx: StaffContext, input: CreateApiKeyInput): Promise<NewApiKey> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    checkScopesOfStore(input.storeId, input.scopes);
    if (input.storeId !== null) await checkStoreIds(tx, [input.storeId]);
    return insertKey(tx, ctx, input);
  });
}

/** Webhooks send the events of all stores, so a store's key can't manage them. Errors: `invalid_request`. */
function checkScopesOfStore(storeId: string | null, scopes: KeyScope[]): void {
  if (storeId !== null && scopes.includes('webhooks')) throw invalid('scopes', say('webhooksNeedAllStores'));
}

/**
 * Replaces a key by a new one with the same name, store, limits and access. The old key keeps working for
 * `overlapHours`. Errors: `api_key_not_found`, `api_key_ended` if it was revoked or replaced before.
 */
export function rotateApiKey(ctx: StaffContext, { apiKeyId, overlapHours }: RotateApiKeyInput): Promise<NewApiKey> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { revokedAt, expiresAt: endsAt, ...old } = await lockKey(tx, apiKeyId);
    if (revokedAt !== null || endsAt !== null) {
      throw new DomainError('api_key_ended', say('apiKeyEnded'));
    }
    const created = await insertKey(tx, ctx, { ...old, replaces: apiKeyId });
    const expiresAt = new Date(ctx.systemClock.now().getTime() + overlapHours * 60 * 60_000);
    await tx.db.update(apiKeys).set({ expiresAt }).where(isKey(tx, apiKeyId));
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

/** Sets a key's rate limits, which apply within about a second. Errors: `api_key_not_found`. */
export function setKeyLimits(ctx: StaffContext, { apiKeyId, ...after }: SetKeyLimitsInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { ratePerSecond, rateBurst } = await lockKey(tx, apiKeyId);
    await Promise.all([
      tx.db.update(apiKeys).set(after).where(isKey(tx, apiKeyId)),
      auditStaff(
        tx,
        ctx,
        'apiKey.setLimits',
        { kind: 'apiKey', id: apiKeyId },
        { before: { ratePerSecond, rateBurst }, after },
      ),
      announceChange(tx, 'apiKeys'),
    ]);
  });
}

/**
 * Sets what a key may do and from where, from the next request on. Errors: `api_key_not_found`, `invalid_request` as
 * `createApiKey`.
 */
export function setKeyAccess(ctx: StaffContext, { apiKeyId, scopes, networks }: SetKeyAccessInput): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await lockKey(tx, apiKeyId);
    checkScopesOfStore(before.storeId, scopes);
    const [after] = await tx.db
      .update(apiKeys)
      .set({ ...storedScopes(scopes), networks: withoutHostBits(networks) })
      .where(isKey(tx, apiKeyId))
      .returning({ scopes: apiKeys.scopes, networks: apiKeys.networks });
    await Promise.all([
      auditStaff(
        tx,
        ctx,
        'apiKey.setAccess',
        { kind: 'apiKey', id: apiKeyId },
        { before: { scopes: before.scopes, networks: before.networks }, after },
      ),
      announceChange(tx, 'apiKeys'),
    ]);
  });
}

/** Writes `203.0.113.7/24` as `203.0.113.0/24`, and a single address as a network of one. Drops duplicates. */
const withoutHostBits = (networks: string[]) =>
  sql`array(select distinct network(given::inet) from unnest(${sql.param(networks, apiKeys.networks)}::text[]) given order by 1)`;

/** Revokes a key from the next request on. Revoking it again does nothing. Errors: `api_key_not_found`. */
export function revokeApiKey(ctx: StaffContext, { apiKeyId }: { apiKeyId: string }): Promise<void> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { revokedAt } = await lockKey(tx, apiKeyId);
    if (revokedAt !== null) return;
    await Promise.all([
      tx.db.update(apiKeys).set({ revokedAt: ctx.systemClock.now() }).where(isKey(tx, apiKeyId)),
      auditStaff(tx, ctx, 'apiKey.revoke', { kind: 'apiKey', id: apiKeyId }),
      announceChange(tx, 'apiKeys'),
    ]);
  });
}

async function insertKey(
  tx: Tx,
  ctx: StaffContext,
  { name, storeId, ratePerSecond, rateBurst, scopes, networks, replaces }: CreateApiKeyInput & { replaces?: string },
): Promise<NewApiKey> {
  const { merchantId, db } = tx;
  const { environment } = ctx;
  const key = newApiKey(environment, ctx);
  const apiKeyId = newId();
  const [created] = await db
    .insert(apiKeys)
    .values({
      merchantId,
      id: apiKeyId,
      storeId,
      name,
      environment,
      hash: hashApiKey(key),
      lastFour: key.slice(-4),
      ratePerSecond,
      rateBurst,
      ...storedScopes(scopes),
      networks: withoutHostBits(networks),
      createdAt: ctx.systemClock.now(),
    })
    .returning({ scopes: apiKeys.scopes, networks: apiKeys.networks });
  await Promise.all([
    auditStaff(
      tx,
      ctx,
      'apiKey.create',
      { kind: 'apiKey', id: apiKeyId },
      { after: { name, storeId, environment, ratePerSecond, rateBurst, ...created, replaces } },
    ),
    announceChange(tx, 'apiKeys'),
  ]);
  return { apiKeyId, key };
}

async function lockKey(tx: Tx, apiKeyId: string) {
  const { name, storeId, ratePerSecond, rateBurst, scope, scopes, networks, expiresAt, revokedAt } = apiKeys;
  const [key] = await tx.db
    .select({ name, storeId, ratePerSecond, rateBurst, scope, scopes, networks, expiresAt, revokedAt })
    .from(apiKeys)
    .where(isKey(tx, apiKeyId))
    .for('no key update');
  if (!key) throw apiKeyNotFound();
  return { ...key, scopes: scopesOf(key) };
}

export const apiKeyNotFound = () => new DomainError('api_key_not_found', say('apiKeyNotFound'));
