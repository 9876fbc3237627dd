import type { Row } from 'postgres';
import type { Database, Fragment, Tx } from '@/db/client';
import type { PosContext } from '../core/context';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants/store';
import type { StoredValuePackage } from './schemas';

type Querier = Database['reads'] | Tx['sql'];

const columns = `id, name, kind, amount, min_amount, max_amount, bonus_amount, bonus_basis_points,
  bonus_expires_in_days, valid_from, valid_until`;

/** Whether the package `o` is sold at that time. */
const isValid = (sql: Querier, at: Date): Fragment => sql`
  (o.valid_from is null or o.valid_from <= ${at}) and (o.valid_until is null or o.valid_until > ${at})`;

/** Whether the package `o` is sold at a store of the merchant `m`. */
const isSoldAt = (sql: Querier, storeId: string | Fragment): Fragment => sql`
  (o.all_stores or exists (
    select from stored_value_package_stores a
    where a.merchant_id = m.id and a.package_id = o.id and a.store_id = ${storeId}))`;

/**
 * The packages on offer at a store now (specification, section 4.2: Retrieve Stored-Value Packages), in the merchant's
 * order. Errors: `store_forbidden`, `store_not_found`.
 */
export async function listPackages(ctx: PosContext, input: { storeCode: string }) {
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const { reads: sql } = ctx.db;
  const now = ctx.clock.now();
  const rows = await sql`
    select s.id as store_id, p.*
    from set_tenant(${ctx.merchant.id}) m
    ${openStore(sql, storeCode)}
    left join lateral (
      select ${sql.unsafe(columns)} from stored_value_packages o
      where o.merchant_id = m.id and o.archived_at is null
        and ${isValid(sql, now)} and ${isSoldAt(sql, sql`s.id`)}
      order by o.position, o.id limit 500
    ) p on true`;
  if (!rows[0]?.store_id) throw storeNotFound(storeCode);
  return { packages: rows.filter((row) => row.id !== null).map(toPackage), currency: ctx.merchant.currency };
}

/** One package, and whether it was on offer at the store `at` that time; null where the merchant has no such package. */
export async function findPackage(ctx: PosContext, packageId: string, storeId: string, at: Date) {
  const { reads: sql } = ctx.db;
  const [row] = await sql`
    select p.*
    from set_tenant(${ctx.merchant.id}) m
    cross join lateral (
      select ${sql.unsafe(columns)}, (o.archived_at is null or o.archived_at > ${at})
        and ${isValid(sql, at)} and ${isSoldAt(sql, storeId)} as on_offer
      from stored_value_packages o where o.merchant_id = m.id and o.id = ${packageId} limit 1
    ) p`;
  return row ? { offer: toPackage(row), isOnOffer: row.on_offer as boolean } : null;
}

/** The packages on offer in every store now: those that a diner can buy without being in one. In the merchant's order. */
export async function selectOffersEverywhere({ merchantId, sql }: Tx, now: Date): Promise<StoredValuePackage[]> {
  const rows = await sql`
    select ${sql.unsafe(columns)} from stored_value_packages o
    where o.merchant_id = ${merchantId} and o.archived_at is null
      and ${isValid(sql, now)}
      and (o.all_stores or not exists (
        select from stores s where s.merchant_id = ${merchantId} and s.closed_at is null and not exists (
          select from stored_value_package_stores a
          where a.merchant_id = ${merchantId} and a.package_id = o.id and a.store_id = s.id)))
    order by o.position, o.id limit 500`;
  return rows.map(toPackage);
}

function toPackage(row: Row): StoredValuePackage {
  return {
    packageId: row.id,
    name: row.name,
    kind: row.kind,
    amount: row.amount,
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
    bonusAmount: row.bonus_amount,
    bonusPercent: row.bonus_basis_points === null ? null : row.bonus_basis_points / 100,
    creditedAmount: row.kind === 'fixed' ? row.amount + row.bonus_amount : null,
    bonusExpiresInDays: row.bonus_expires_in_days,
    validFrom: row.valid_from?.toISOString() ?? null,
    validUntil: row.valid_until?.toISOString() ?? null,
  };
}
