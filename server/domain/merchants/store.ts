import type { Database, Fragment, Tx } from '@/db/client';
import type { PosContext, Store } from '../core/context';
import { DomainError, invalid } from '../core/errors';

/**
 * The code of the store that a request is for. A bound key implies it. Errors: `store_forbidden` where the request names
 * another, `invalid_request` where a merchant-wide key names none.
 */
export function requestedStoreCode(ctx: PosContext, storeCode: string | undefined): string {
  const code = requestedStoreCodeIfAny(ctx, storeCode);
  if (code === null) throw invalid('storeCode', 'is required with a merchant-wide key');
  ctx.storeCode = code;
  return code;
}

/** The same, where the store may be left open: null then. */
export function requestedStoreCodeIfAny(ctx: PosContext, storeCode: string | undefined): string | null {
  if (ctx.boundStore === null) return storeCode ?? null;
  if (storeCode !== undefined && storeCode !== ctx.boundStore.storeCode) {
    throw new DomainError('store_forbidden', `This key may not be used for the store ${storeCode}.`);
  }
  return ctx.boundStore.storeCode;
}

/** The open store that a request is for. Errors: `store_forbidden`, `store_not_found`, `invalid_request` as above. */
export async function requestedStore(ctx: PosContext, storeCode: string | undefined): Promise<Store> {
  const code = requestedStoreCode(ctx, storeCode);
  if (ctx.boundStore !== null) return ctx.boundStore;
  const { sql } = ctx.db;
  const [store] = await sql<Store[]>`
    select s.* from set_tenant(${ctx.merchant.id}) m cross join lateral (
      select id, store_code as "storeCode", name from stores
      where merchant_id = m.id and store_code = ${code} and closed_at is null limit 1
    ) s`;
  if (!store) throw storeNotFound(code);
  return store;
}

/** Where a request need not be for a store: only that the one it names, if it does, is the key's to use. */
export async function checkNamedStore(ctx: PosContext, storeCode: string | undefined): Promise<void> {
  if (storeCode !== undefined) await requestedStore(ctx, storeCode);
}

/** Errors: `store_not_found` where one of these is not the merchant's. */
export async function checkStoreIds({ merchantId, sql }: Tx, storeIds: string[]): Promise<void> {
  const rows = await sql`select id from stores where merchant_id = ${merchantId} and id = any(${storeIds}::uuid[])`;
  if (rows.length < new Set(storeIds).size) throw noSuchStore();
}

/** A join of `s`, the open store of the merchant `m` with this code: a text, or an expression that is one. */
export const openStore = (sql: Database['reads'], code: string | Fragment | null): Fragment => sql`
  left join lateral (
    select id from stores where merchant_id = m.id and store_code = ${code} and closed_at is null limit 1
  ) s on true`;

/** To staff, who know no ids. */
export function noSuchStore(): DomainError {
  return new DomainError('store_not_found', 'There is no such store.');
}

export function storeNotFound(storeCode: string): DomainError {
  return new DomainError('store_not_found', `There is no store ${storeCode}.`);
}
