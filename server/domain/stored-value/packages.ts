import { and, asc, eq, exists, gt, isNull, lte, notExists, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { nameIn, recordset } from '@/db/query/expressions';
import { setTenant } from '@/db/query/functions';
import { type Given, prepare, type Queries } from '@/db/query/queries';
import { storedValuePackageStores, storedValuePackages, stores } from '@/db/schema';
import type { PosContext } from '../kernel/context';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants';
import type { StoredValuePackage } from './schemas';

const offers = storedValuePackages;
const columns = {
  id: offers.id,
  name: offers.name,
  kind: offers.kind,
  amount: offers.amount,
  minAmount: offers.minAmount,
  maxAmount: offers.maxAmount,
  bonusAmount: offers.bonusAmount,
  bonusBasisPoints: offers.bonusBasisPoints,
  bonusExpiresInDays: offers.bonusExpiresInDays,
  validFrom: offers.validFrom,
  validUntil: offers.validUntil,
};

/** True if the package is sold at that time. */
const isValid = (at: Date | SQL | Placeholder) =>
  and(
    or(isNull(offers.validFrom), lte(offers.validFrom, at)),
    or(isNull(offers.validUntil), gt(offers.validUntil, at)),
  );

const isOfStore = (db: Queries, storeId: SQL | typeof stores.id | Placeholder) =>
  db
    .select({ storeId: storedValuePackageStores.storeId })
    .from(storedValuePackageStores)
    .where(
      and(
        eq(storedValuePackageStores.merchantId, offers.merchantId),
        eq(storedValuePackageStores.packageId, offers.id),
        eq(storedValuePackageStores.storeId, storeId),
      ),
    );

/** True if the package is sold at the store. */
const isSoldAt = (db: Queries, storeId: SQL | typeof stores.id | Placeholder) =>
  or(offers.allStores, exists(isOfStore(db, storeId)));

const listAt = prepare((db, given: Given<{ merchantId: string; storeCode: string; now: Date }>) => {
  const tenant = setTenant({ merchant: given.merchantId });
  const store = openStore(db, tenant.id, given.storeCode);
  const onOffer = db
    .select(columns)
    .from(offers)
    .where(
      and(
        eq(offers.merchantId, tenant.id),
        isNull(offers.archivedAt),
        isValid(given.now),
        isSoldAt(db, sql`${store.id}`),
      ),
    )
    .orderBy(asc(offers.position), asc(offers.id))
    .limit(500)
    .as('on_offer');
  return db
    .select({ offer: onOffer._.selectedFields })
    .from(tenant.$rows)
    .innerJoinLateral(store, sql`true`)
    .leftJoinLateral(onOffer, sql`true`);
});

/**
 * Lists the packages on offer at a store now (specification, section 4.2: Retrieve Stored-Value Packages), in the
 * merchant's order. Errors: `store_forbidden`, `store_not_found`.
 */
export async function listPackages(ctx: PosContext, input: { storeCode: string }) {
  const { db, merchant, clock } = ctx;
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const rows = await listAt(db.reads, { merchantId: merchant.id, storeCode, now: clock.now() });
  if (rows.length === 0) throw storeNotFound(storeCode);
  return { packages: rows.flatMap(({ offer }) => (offer ? toPackage(offer) : [])), currency: merchant.currency };
}

interface Wanted {
  /** The transaction that wants it. */
  uid: string;
  packageId: string;
  storeId: string;
  at: Date;
}

const findEach = prepare((db, given: Given<{ merchantId: string; wanted: Wanted[] }>) => {
  const shape = {
    uid: sql<string>`uuid`,
    packageId: offers.id,
    storeId: storedValuePackageStores.storeId,
    at: sql<Date>`timestamptz`,
  };
  const { $rows, ...wanted } = recordset('wanted', shape, given.wanted);
  const wasKept = or(isNull(offers.archivedAt), gt(offers.archivedAt, wanted.at));
  const isOnOffer = sql<boolean>`${and(wasKept, isValid(wanted.at), isSoldAt(db, wanted.storeId))}`.as('is_on_offer');
  const found = db
    .select({ ...columns, isOnOffer })
    .from(offers)
    .where(and(eq(offers.merchantId, given.merchantId), eq(offers.id, wanted.packageId)))
    .limit(1)
    .as('found');
  return db
    .select({ uid: wanted.uid, ...found._.selectedFields })
    .from($rows)
    .crossJoinLateral(found);
});

export interface FoundPackage {
  offer: StoredValuePackage;
  /** True if it was on offer at the store at that time. */
  isOnOffer: boolean;
}

/** Returns each transaction's package by the transaction's uid. A package that the merchant does not have is absent. */
export async function findPackages({ merchantId, db }: Tx, wanted: Wanted[]): Promise<Map<string, FoundPackage>> {
  const rows = await findEach(db, { merchantId, wanted });
  return new Map(rows.map(({ uid, isOnOffer, ...row }) => [uid, { offer: toPackage(row), isOnOffer }]));
}

/** Selects the packages on offer at a store now, in the merchant's order. */
export async function selectOffersAt(
  { merchantId, db }: Tx,
  storeId: string,
  now: Date,
): Promise<StoredValuePackage[]> {
  const rows = await db
    .select(columns)
    .from(offers)
    .where(
      and(
        eq(offers.merchantId, merchantId),
        isNull(offers.archivedAt),
        isValid(now),
        isSoldAt(db, sql`${storeId}::uuid`),
      ),
    )
    .orderBy(asc(offers.position), asc(offers.id))
    .limit(500);
  return rows.map(toPackage);
}

/**
 * Selects the packages on offer in every store now, which a diner can buy anywhere, in the merchant's order. Names are
 * in `language` if translated.
 */
export async function selectOffersEverywhere(
  { merchantId, db }: Tx,
  now: Date,
  language?: string,
): Promise<StoredValuePackage[]> {
  const withoutIt = db
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.merchantId, merchantId), isNull(stores.closedAt), notExists(isOfStore(db, stores.id))));
  const rows = await db
    .select({ ...columns, name: nameIn(offers, language) })
    .from(offers)
    .where(
      and(
        eq(offers.merchantId, merchantId),
        isNull(offers.archivedAt),
        isValid(now),
        or(offers.allStores, notExists(withoutIt)),
      ),
    )
    .orderBy(asc(offers.position), asc(offers.id))
    .limit(500);
  return rows.map(toPackage);
}

type PackageRow = Pick<typeof offers.$inferSelect, keyof typeof columns>;

function toPackage(row: PackageRow): StoredValuePackage {
  const { kind, amount, bonusAmount, bonusBasisPoints, validFrom, validUntil } = row;
  return {
    packageId: row.id,
    name: row.name,
    kind,
    amount,
    minAmount: row.minAmount,
    maxAmount: row.maxAmount,
    bonusAmount,
    bonusPercent: bonusBasisPoints === null ? null : bonusBasisPoints / 100,
    creditedAmount: kind === 'fixed' && amount !== null && bonusAmount !== null ? amount + bonusAmount : null,
    bonusExpiresInDays: row.bonusExpiresInDays,
    validFrom: validFrom?.toISOString() ?? null,
    validUntil: validUntil?.toISOString() ?? null,
  };
}
