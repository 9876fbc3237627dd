import { and, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { insertRows, recordset } from '@/db/query/expressions';
import { storedValuePackageStores, storedValuePackages } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { dateIn, endOfDate, startOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { checkRevision, revisionOf } from '../kernel/revision';
import { say } from '../kernel/say';
import { changeInTurn, checkStoreIds } from '../merchants';
import type { PackageInput } from './schemas';

const packages = storedValuePackages;

/** A package for the back office. */
export type ManagedPackage = PackageInput & {
  packageId: string;
  revision: string;
  status: 'onOffer' | 'scheduled' | 'ended' | 'archived';
};

/** Lists the merchant's packages in order, or the archived ones, latest first; at most 500. */
export function listManagedPackages(
  ctx: StaffContext,
  { status }: { status: 'current' | 'archived' },
): Promise<ManagedPackage[]> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { id, position, archivedAt } = packages;
    const rows = await (status === 'current'
      ? select(tx, isNull(archivedAt)).orderBy(position, id)
      : select(tx, isNotNull(archivedAt)).orderBy(desc(archivedAt), id)
    ).limit(500);
    return rows.map((row) => toManagedPackage(ctx, row));
  });
}

/** Errors: `package_not_found`. */
export function getManagedPackage(ctx: StaffContext, { packageId }: { packageId: string }): Promise<ManagedPackage> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => toManagedPackage(ctx, await find(tx, packageId)));
}

/** Adds a package at the end. Errors: `store_not_found`. */
export function createPackage(ctx: StaffContext, input: PackageInput): Promise<{ packageId: string }> {
  return changePackages(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const packageId = newId();
    await checkStoreIds(tx, storeIdsOf(input));
    await db.insert(packages).values({ merchantId, id: packageId, ...toColumns(ctx, input) });
    await update(tx, packageId, { position: lastPosition(tx) });
    await link(tx, packageId, input);
    await auditStaff(tx, ctx, 'package.create', { kind: 'package', id: packageId }, { after: input });
    return { packageId };
  });
}

/**
 * Updates a package. A top-up in progress keeps the terms that it has already read. Errors: `package_not_found`,
 * `store_not_found`, `edited_meanwhile`.
 */
export function updatePackage(
  ctx: StaffContext,
  { packageId, package: input, revision: opened }: { packageId: string; package: PackageInput; revision: string },
): Promise<{ revision: string }> {
  return changePackages(ctx, async (tx) => {
    const before = toInput(ctx, await find(tx, packageId));
    checkRevision(opened, revisionOf(before));
    await checkStoreIds(tx, storeIdsOf(input));
    await update(tx, packageId, toColumns(ctx, input));
    await link(tx, packageId, input);
    await auditStaff(tx, ctx, 'package.update', { kind: 'package', id: packageId }, { before, after: input });
    return { revision: revisionOf(toInput(ctx, await find(tx, packageId))) };
  });
}

/** Archives a package, or restores it at the end. Errors: `package_not_found`. */
export function setPackageArchived(
  ctx: StaffContext,
  { packageId, isArchived }: { packageId: string; isArchived: boolean },
): Promise<void> {
  return changePackages(ctx, async (tx) => {
    const before = await find(tx, packageId);
    if ((before.archivedAt !== null) === isArchived) return;
    const archivedAt = isArchived ? ctx.clock.now() : null;
    await update(tx, packageId, { archivedAt, position: lastPosition(tx) });
    await auditStaff(tx, ctx, isArchived ? 'package.archive' : 'package.restore', { kind: 'package', id: packageId });
  });
}

/**
 * Puts the packages into this order. Packages that someone else added meanwhile follow in their old order. Errors:
 * `package_not_found`.
 */
export function reorderPackages(ctx: StaffContext, { packageIds }: { packageIds: string[] }): Promise<void> {
  return changePackages(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const { id, position, archivedAt } = packages;
    const isMerchants = eq(packages.merchantId, merchantId);
    const rows = await db.select({ id, archivedAt }).from(packages).where(isMerchants).orderBy(position, id);
    if (packageIds.some((id) => !rows.some((row) => row.id === id))) throw notFound();
    const others = rows.filter((row) => row.archivedAt === null && !packageIds.includes(row.id));
    const order = [...new Set(packageIds), ...others.map((row) => row.id)];
    const { $rows, ...ordered } = recordset(
      'ordered',
      { id, position },
      order.map((packageId, at) => ({ id: packageId, position: at + 1 })),
    );
    await db
      .update(packages)
      .set({ position: ordered.position })
      .from($rows)
      .where(and(isMerchants, eq(id, ordered.id)));
    const before = rows.filter((row) => order.includes(row.id)).map((row) => row.id);
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

const notFound = () => new DomainError('package_not_found', say('packageNotFound'));

/** Selects packages with their stores' ids in order. */
function select({ merchantId, db }: Tx, condition: SQL | undefined) {
  const { packageId, storeId, ...links } = storedValuePackageStores;
  const ofPackage = db
    .select({ storeId })
    .from(storedValuePackageStores)
    .where(and(eq(links.merchantId, packages.merchantId), eq(packageId, packages.id)))
    .orderBy(storeId);
  return db
    .select({ ...getTableColumns(packages), storeIds: sql<string[]>`array${ofPackage}` })
    .from(packages)
    .where(and(eq(packages.merchantId, merchantId), condition));
}

type PackageRow = Awaited<ReturnType<typeof select>>[number];

async function find(tx: Tx, packageId: string): Promise<PackageRow> {
  const [row] = await select(tx, eq(packages.id, packageId));
  if (!row) throw notFound();
  return row;
}

interface Change extends Partial<Omit<typeof packages.$inferInsert, 'position'>> {
  position?: SQL<number>;
}

const update = ({ merchantId, db }: Tx, packageId: string, change: Change) =>
  db
    .update(packages)
    .set(change)
    .where(and(eq(packages.merchantId, merchantId), eq(packages.id, packageId)));

/** The position after the last package. */
function lastPosition({ merchantId, db }: Tx): SQL<number> {
  const next = db
    .select({ position: sql<number>`max(${packages.position}) + 1` })
    .from(packages)
    .where(eq(packages.merchantId, merchantId));
  return sql`${next}`;
}

const storeIdsOf = ({ allStores, storeIds }: PackageInput) => (allStores ? [] : storeIds);

const insertStores = insertRows(storedValuePackageStores, ['packageId', 'storeId'], sql`do nothing`);

async function link(tx: Tx, packageId: string, input: PackageInput): Promise<void> {
  const { merchantId, packageId: ofPackage } = storedValuePackageStores;
  await tx.db.delete(storedValuePackageStores).where(and(eq(merchantId, tx.merchantId), eq(ofPackage, packageId)));
  await insertStores(
    tx,
    storeIdsOf(input).map((storeId) => ({ packageId, storeId })),
  );
}

function toColumns({ merchant }: StaffContext, input: PackageInput) {
  const { kind, name, translations, bonusExpiresInDays, allStores, validFrom, validUntil } = input;
  return {
    kind,
    name,
    translations,
    amount: kind === 'fixed' ? input.amount : null,
    bonusAmount: kind === 'fixed' ? input.bonusAmount : null,
    minAmount: kind === 'open' ? input.minAmount : null,
    maxAmount: kind === 'open' ? input.maxAmount : null,
    bonusBasisPoints: kind === 'open' ? input.bonusBasisPoints : null,
    bonusExpiresInDays,
    allStores,
    validFrom: validFrom === null ? null : startOfDate(validFrom, merchant),
    validUntil: validUntil === null ? null : endOfDate(validUntil, merchant),
  };
}

function toManagedPackage(ctx: StaffContext, row: PackageRow): ManagedPackage {
  const now = ctx.clock.now();
  const { validFrom: from, validUntil: until } = row;
  const status =
    row.archivedAt !== null
      ? 'archived'
      : until !== null && until <= now
        ? 'ended'
        : from !== null && from > now
          ? 'scheduled'
          : 'onOffer';
  const input = toInput(ctx, row);
  return { packageId: row.id, status, revision: revisionOf(input), ...input };
}

/** Returns a package's editable fields. The table ensures that a package has the amounts of its type. */
function toInput({ merchant }: StaffContext, row: PackageRow): PackageInput {
  const day = (instant: Date | null) => (instant === null ? null : dateIn(merchant, instant));
  const fields = {
    name: row.name,
    translations: row.translations,
    bonusExpiresInDays: row.bonusExpiresInDays,
    allStores: row.allStores,
    storeIds: row.storeIds,
    validFrom: day(row.validFrom),
    validUntil: day(row.validUntil),
  };
  return row.kind === 'fixed'
    ? { ...fields, kind: 'fixed', amount: row.amount as number, bonusAmount: row.bonusAmount as number }
    : {
        ...fields,
        kind: 'open',
        minAmount: row.minAmount as number,
        maxAmount: row.maxAmount as number,
        bonusBasisPoints: row.bonusBasisPoints as number,
      };
}
