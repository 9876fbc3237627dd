import { and, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { setTenant } from '@/db/query/functions';
import { type Given, prepare, type Queries } from '@/db/query/queries';
import { stores } from '@/db/schema';
import type { PosContext, Store, TransactionContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';

/**
 * Returns the code of the request's store. A bound key implies it. Errors: `store_forbidden` if the request names
 * another store, `invalid_request` if a merchant-wide key names none.
 */
export function requestedStoreCode(ctx: TransactionContext, storeCode: string | undefined): string {
  const code = requestedStoreCodeIfAny(ctx, storeCode);
  if (code === null) throw invalid('storeCode', say('storeCodeMissing'));
  ctx.storeCode = code;
  return code;
}

/** Returns the request's store code, or null if it names no store. Errors: `store_forbidden`. */
export function requestedStoreCodeIfAny(ctx: TransactionContext, storeCode: string | undefined): string | null {
  if (ctx.boundStore === null) return storeCode ?? null;
  if (storeCode !== undefined && storeCode !== ctx.boundStore.storeCode) {
    throw new DomainError('store_forbidden', say('storeForbidden', { code: storeCode }));
  }
  return ctx.boundStore.storeCode;
}

/** Finds the request's open store. Errors: those of `requestedStoreCode`, and `store_not_found`. */
export async function requestedStore(ctx: PosContext, storeCode: string | undefined): Promise<Store> {
  const code = requestedStoreCode(ctx, storeCode);
  if (ctx.boundStore !== null) return ctx.boundStore;
  const [store] = await findOpenStore(ctx.db.pool, { merchantId: ctx.merchant.id, storeCode: code });
  if (!store) throw storeNotFound(code);
  return store;
}

/** Lists the open stores that the request's key works for, by code. A business has a thousand at most. */
export async function storesOfKey({ db, merchant, boundStore }: PosContext): Promise<Omit<Store, 'id'>[]> {
  if (boundStore !== null) return [boundStore];
  return withMerchant(db, merchant.id, (tx) =>
    tx.db
      .select({ storeCode: stores.storeCode, name: stores.name })
      .from(stores)
      .where(and(eq(stores.merchantId, tx.merchantId), isNull(stores.closedAt)))
      .orderBy(stores.storeCode),
  );
}

/** Checks that the key may use the named store, if the request names one. */
export async function checkNamedStore(ctx: PosContext, storeCode: string | undefined): Promise<void> {
  if (storeCode !== undefined) await requestedStore(ctx, storeCode);
}

/** Errors: `store_not_found` if any of these is not the merchant's. */
export async function checkStoreIds({ merchantId, db }: Tx, storeIds: string[]): Promise<void> {
  const rows = await db
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.merchantId, merchantId), anyOf(stores.id, storeIds)));
  if (rows.length < new Set(storeIds).size) throw noSuchStore();
}

/** Selects the merchant's open store with this code, for a lateral join. */
export const openStore = (db: Queries, merchantId: SQL<string>, storeCode: SQL<string | null> | Placeholder) =>
  db
    .select({ id: stores.id, storeCode: stores.storeCode, name: stores.name })
    .from(stores)
    .where(and(eq(stores.merchantId, merchantId), eq(stores.storeCode, storeCode), isNull(stores.closedAt)))
    .limit(1)
    .as('open_store');

const findOpenStore = prepare((db, given: Given<{ merchantId: string; storeCode: string }>) => {
  const tenant = setTenant({ merchant: given.merchantId });
  const store = openStore(db, tenant.id, given.storeCode);
  return db
    .select({ id: store.id, storeCode: store.storeCode, name: store.name })
    .from(tenant.$rows)
    .innerJoinLateral(store, sql`true`);
});

/** For staff, who see no ids. */
export function noSuchStore(): DomainError {
  return new DomainError('store_not_found', say('storeNotFound'));
}

export function storeNotFound(storeCode: string): DomainError {
  return new DomainError('store_not_found', say('noStore', { code: storeCode }));
}
