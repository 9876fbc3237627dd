import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, integer, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { amount, createdAt, id, instant, merchantId, storePolicy, tenantPolicy, translations } from '../kinds/columns';
import { merchants, stores } from './merchants';

export const packageKind = pgEnum('package_kind', ['fixed', 'open']);

/**
 * A top-up package. `fixed`: pay `amount` and get `bonusAmount` as a bonus. `open`: pay any amount in range and get a
 * percentage as a bonus.
 */
export const storedValuePackages = pgTable(
  'stored_value_packages',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    name: text('name').notNull(),
    translations: translations(),
    kind: packageKind('kind').notNull(),
    amount: amount('amount'),
    bonusAmount: amount('bonus_amount'),
    minAmount: amount('min_amount'),
    maxAmount: amount('max_amount'),
    /** Hundredths of a percent: 1000 is 10 %. */
    bonusBasisPoints: integer('bonus_basis_points'),
    bonusExpiresInDays: integer('bonus_expires_in_days'),
    allStores: boolean('all_stores').notNull().default(true),
    validFrom: instant('valid_from'),
    validUntil: instant('valid_until'),
    position: integer('position').notNull().default(0),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    check(
      'stored_value_packages_shape',
      sql`case ${t.kind}
        when 'fixed' then num_nonnulls(${t.amount}, ${t.bonusAmount}) = 2 and ${t.amount} > 0 and ${t.bonusAmount} >= 0
          and num_nonnulls(${t.minAmount}, ${t.maxAmount}, ${t.bonusBasisPoints}) = 0
        else num_nonnulls(${t.minAmount}, ${t.maxAmount}, ${t.bonusBasisPoints}) = 3 and ${t.minAmount} > 0
          and ${t.maxAmount} >= ${t.minAmount} and ${t.bonusBasisPoints} >= 0
          and num_nonnulls(${t.amount}, ${t.bonusAmount}) = 0
      end`,
    ),
    check('stored_value_packages_expiry', sql`${t.bonusExpiresInDays} > 0`),
    tenantPolicy(),
  ],
);

/** The stores of a package that is not offered at all stores. */
export const storedValuePackageStores = pgTable(
  'stored_value_package_stores',
  {
    merchantId: merchantId(),
    packageId: uuid('package_id').notNull(),
    storeId: uuid('store_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.packageId, t.storeId] }),
    foreignKey({
      columns: [t.merchantId, t.packageId],
      foreignColumns: [storedValuePackages.merchantId, storedValuePackages.id],
    }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);
