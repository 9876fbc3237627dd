import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { dateIn, endOfDate, startOfDate } from '../core/calendar';
import { DomainError } from '../core/errors';
import { newId } from '../core/ids';
import { checkRevision, revisionOf } from '../core/revision';
import { changeInTurn } from '../merchants/lock';
import { checkStoreIds } from '../merchants/store';
import type { StaffContext } from '../staff/context';
import type { PackageInput } from './schemas';

/** A package as the back office shows it. */
export type ManagedPackage = PackageInput & {
  packageId: string;
  revision: string;
  status: 'onOffer' | 'scheduled' | 'ended' | 'archived';
};

/** The merchant's packages in their order, or the archived ones, the latest first. 500 at most. */
export function listManagedPackages(
  ctx: StaffContext,
  { status }: { status: 'current' | 'archived' },
): Promise<ManagedPackage[]> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { sql } = tx;
    const rows =
      status === 'current'
        ? await sql`${select(tx)} and archived_at is null order by position, id limit 500`
        : await sql`${select(tx)} and archived_at is not null order by archived_at desc, id limit 500`;
    return rows.map((row) => toManagedPackage(ctx, row));
  });
}

/** Errors: `package_not_found`. */
export function getManagedPackage(ctx: StaffContext, { packageId }: { packageId: string }): Promise<ManagedPackage> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => toManagedPackage(ctx, await find(tx, packageId)));
}

/** Adds a package behind the others. Errors: `store_not_found`. */
export function createPackage(ctx: StaffContext, input: PackageInput): Promise<{ packageId: string }> {
  return changePackages(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const packageId = newId();
    await checkStoreIds(tx, storeIdsOf(input));
    await sql`
      insert into stored_value_packages ${sql({ merchant_id: merchantId, id: packageId, ...toColumns(ctx, input) })}`;
    await sql`
      update stored_value_packages set position = (
        select max(position) + 1 from stored_value_packages where merchant_id = ${merchantId})
      where merchant_id = ${merchantId} and id = ${packageId}`;
    await link(tx, packageId, input);
    await auditStaff(tx, ctx, 'package.create', { kind: 'package', id: packageId }, { after: input });
    return { packageId };
  });
}

/**
 * A top-up under way keeps the terms that it has read. Errors: `package_not_found`, `store_not_found`,
 * `edited_meanwhile`.
 */
export function updatePackage(
  ctx: StaffContext,
  { packageId, package: input, revision: opened }: { packageId: string; package: PackageInput; revision: string },
): Promise<{ revision: string }> {
  return changePackages(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const before = toInput(ctx, await find(tx, packageId));
    checkRevision(opened, revisionOf(before));
    await checkStoreIds(tx, storeIdsOf(input));
    await sql`
      update stored_value_packages set ${sql(toColumns(ctx, input))}
      where merchant_id = ${merchantId} and id = ${packageId}`;
    await link(tx, packageId, input);
    await auditStaff(tx, ctx, 'package.update', { kind: 'package', id: packageId }, { before, after: input });
    return { revision: revisionOf(toInput(ctx, await find(tx, packageId))) };
  });
}

/** Takes a package off offer, or puts it back behind the others. Errors: `package_not_found`. */
export function setPackageArchived(
  ctx: StaffContext,
  { packageId, isArchived }: { packageId: string; isArchived: boolean },
): Promise<void> {
  return changePackages(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const before = await find(tx, packageId);
    if ((before.archived_at !== null) === isArchived) return;
    const archivedAt = isArchived ? ctx.clock.now() : null;
    await sql`
      update stored_value_packages set archived_at = ${archivedAt}, position = (
        select max(position) + 1 from stored_value_packages where merchant_id = ${merchantId})
      where merchant_id = ${merchantId} and id = ${packageId}`;
    await auditStaff(tx, ctx, isArchived ? 'package.archive' : 'package.restore', { kind: 'package', id: packageId });
  });
}

/**
 * Puts the packages in this order. Those that it does not name (added by somebody else meanwhile) come behind, in the
 * order that they had. Errors: `package_not_found`.
 */
export function reorderPackages(ctx: StaffContext, { packageIds }: { packageIds: string[] }): Promise<void> {
  return changePackages(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const rows = await sql`
      select id, archived_at from stored_value_packages where merchant_id = ${merchantId} order by position, id`;
    if (packageIds.some((asked) => !rows.some(({ id }) => id === asked))) throw notFound();
    const others = rows.filter(({ id, archived_at }) => archived_at === null && !packageIds.includes(id));
    const order = [...new Set(packageIds), ...others.map(({ id }) => id)];
    await sql`
      update stored_value_packages p set position = o.position
      from unnest(${order}::uuid[]) with ordinality as o (id, position)
      where p.merchant_id = ${merchantId} and p.id = o.id`;
    const before = rows.filter(({ id }) => order.includes(id)).map(({ id }) => id);
    await auditStaff(
      tx,
      ctx,
      'package.reorder',
      { kind: 'merchant', id: merchantId },
      { before: { packageIds: before }, after: { packageIds: order } },
    );
  });
}

const changePackages = <T>(ctx: StaffContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  changeInTurn(ctx, 'packages', work);

const notFound = () => new DomainError('package_not_found', 'There is no such stored-value package.');

const select = ({ merchantId, sql }: Tx) => sql`
  select p.*, array(
    select store_id from stored_value_package_stores s where s.merchant_id = p.merchant_id and s.package_id = p.id
    order by store_id
  ) as store_ids
  from stored_value_packages p where merchant_id = ${merchantId}`;

async function find(tx: Tx, packageId: string): Promise<Row> {
  const [row] = await tx.sql`${select(tx)} and id = ${packageId}`;
  if (!row) throw notFound();
  return row;
}

const storeIdsOf = ({ allStores, storeIds }: PackageInput) => (allStores ? [] : storeIds);

async function link({ merchantId, sql }: Tx, packageId: string, input: PackageInput): Promise<void> {
  await sql`delete from stored_value_package_stores where merchant_id = ${merchantId} and package_id = ${packageId}`;
  await sql`
    insert into stored_value_package_stores (merchant_id, package_id, store_id)
    select distinct ${merchantId}::uuid, ${packageId}::uuid, store_id from unnest(${storeIdsOf(input)}::uuid[]) store_id`;
}

function toColumns({ merchant }: StaffContext, input: PackageInput) {
  const { kind, name, bonusExpiresInDays, allStores, validFrom, validUntil } = input;
  return {
    kind,
    name,
    amount: kind === 'fixed' ? input.amount : null,
    bonus_amount: kind === 'fixed' ? input.bonusAmount : null,
    min_amount: kind === 'open' ? input.minAmount : null,
    max_amount: kind === 'open' ? input.maxAmount : null,
    bonus_basis_points: kind === 'open' ? input.bonusBasisPoints : null,
    bonus_expires_in_days: bonusExpiresInDays,
    all_stores: allStores,
    valid_from: validFrom === null ? null : startOfDate(validFrom, merchant.timeZone),
    valid_until: validUntil === null ? null : endOfDate(validUntil, merchant.timeZone),
  };
}

function toManagedPackage(ctx: StaffContext, row: Row): ManagedPackage {
  const now = ctx.clock.now();
  const { valid_from: from, valid_until: until } = row as { valid_from: Date | null; valid_until: Date | null };
  const status = row.archived_at
    ? 'archived'
    : until !== null && until <= now
      ? 'ended'
      : from !== null && from > now
        ? 'scheduled'
        : 'onOffer';
  const input = toInput(ctx, row);
  return { packageId: row.id, status, revision: revisionOf(input), ...input };
}

/** What people edit of it. */
function toInput({ merchant }: StaffContext, row: Row): PackageInput {
  const day = (instant: Date | null) => (instant === null ? null : dateIn(merchant.timeZone, instant));
  const fields = {
    name: row.name,
    bonusExpiresInDays: row.bonus_expires_in_days,
    allStores: row.all_stores,
    storeIds: row.store_ids,
    validFrom: day(row.valid_from),
    validUntil: day(row.valid_until),
  };
  return row.kind === 'fixed'
    ? { ...fields, kind: 'fixed', amount: row.amount, bonusAmount: row.bonus_amount }
    : {
        ...fields,
        kind: 'open',
        minAmount: row.min_amount,
        maxAmount: row.max_amount,
        bonusBasisPoints: row.bonus_basis_points,
      };
}
