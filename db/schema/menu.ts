import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  amount,
  bytes,
  createdAt,
  id,
  instant,
  merchantId,
  storePolicy,
  tenantPolicy,
  translations,
} from '../kinds/columns';
import { allergens, diets } from '../kinds/lists';
import { merchants, stores } from './merchants';

export const menuCategories = pgTable(
  'menu_categories',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    name: text('name').notNull(),
    translations: translations(),
    /** Where its items are made, such as `Bar`; empty if the merchant names no stations. */
    station: text('station').notNull().default(''),
    position: integer('position').notNull(),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('menu_categories_name').on(t.merchantId, t.name).where(sql`archived_at is null`),
    tenantPolicy(),
  ],
);

/** A photo of an item, cropped to squares of two sizes, in WebP. The uploaded file is not kept. */
export const menuPhotos = pgTable(
  'menu_photos',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    /** SHA-256 of the uploaded file: the same file again is the same photo. */
    hash: bytes('hash').notNull(),
    small: bytes('small').notNull(),
    large: bytes('large').notNull(),
    /** The last upload. A photo without an item one day later is deleted. */
    uploadedAt: instant('uploaded_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('menu_photos_hash').on(t.merchantId, t.hash),
    // The URL of a photo does not name the merchant.
    index('menu_photos_id').on(t.id),
    tenantPolicy(),
  ],
);

/** An item on the menu, identified by the POS's price look-up code (PLU). */
export const menuItems = pgTable(
  'menu_items',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    categoryId: uuid('category_id').notNull(),
    plu: text('plu').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    translations: translations<'name' | 'description'>(),
    price: amount('price').notNull(),
    allergens: text('allergens', { enum: allergens }).array().notNull().default([]),
    diets: text('diets', { enum: diets }).array().notNull().default([]),
    photoId: uuid('photo_id'),
    allStores: boolean('all_stores').notNull().default(true),
    position: integer('position').notNull(),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('menu_items_plu').on(t.merchantId, t.plu),
    foreignKey({
      columns: [t.merchantId, t.categoryId],
      foreignColumns: [menuCategories.merchantId, menuCategories.id],
    }),
    foreignKey({ columns: [t.merchantId, t.photoId], foreignColumns: [menuPhotos.merchantId, menuPhotos.id] }),
    index('menu_items_category').on(t.merchantId, t.categoryId, t.position),
    index('menu_items_photo').on(t.merchantId, t.photoId).where(sql`photo_id is not null`),
    check('menu_items_price', sql`${t.price} >= 0`),
    tenantPolicy(),
  ],
);

/** The stores of an item that is not sold at all stores. */
export const menuItemStores = pgTable(
  'menu_item_stores',
  {
    merchantId: merchantId(),
    itemId: uuid('item_id').notNull(),
    storeId: uuid('store_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.itemId, t.storeId] }),
    foreignKey({ columns: [t.merchantId, t.itemId], foreignColumns: [menuItems.merchantId, menuItems.id] }),
    foreignKey({ columns: [t.merchantId, t.storeId], foreignColumns: [stores.merchantId, stores.id] }),
    tenantPolicy(),
    storePolicy(),
  ],
);

/** A modifier group (`Sugar`, `Extra toppings`), shared by all items that offer it. */
export const menuOptionGroups = pgTable(
  'menu_option_groups',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    name: text('name').notNull(),
    translations: translations(),
    /** The minimum and maximum number of options that a diner chooses. */
    minimum: smallint('minimum').notNull(),
    maximum: smallint('maximum').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('menu_option_groups_name').on(t.merchantId, t.name),
    check('menu_option_groups_bounds', sql`${t.minimum} >= 0 and ${t.maximum} >= 1 and ${t.maximum} >= ${t.minimum}`),
    tenantPolicy(),
  ],
);

export const menuOptions = pgTable(
  'menu_options',
  {
    merchantId: merchantId(),
    id: id(),
    groupId: uuid('group_id').notNull(),
    name: text('name').notNull(),
    translations: translations(),
    /** The amount added to the item's price; negative for a reduction. */
    price: amount('price').notNull(),
    plu: text('plu'),
    /** Allergens that the option adds to the item's own. */
    allergens: text('allergens', { enum: allergens }).array().notNull().default([]),
    position: integer('position').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    foreignKey({
      columns: [t.merchantId, t.groupId],
      foreignColumns: [menuOptionGroups.merchantId, menuOptionGroups.id],
    }),
    index('menu_options_group').on(t.merchantId, t.groupId, t.position),
    tenantPolicy(),
  ],
);

/** The modifier groups of an item, in order. */
export const menuItemOptionGroups = pgTable(
  'menu_item_option_groups',
  {
    merchantId: merchantId(),
    itemId: uuid('item_id').notNull(),
    groupId: uuid('group_id').notNull(),
    position: integer('position').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.itemId, t.groupId] }),
    foreignKey({ columns: [t.merchantId, t.itemId], foreignColumns: [menuItems.merchantId, menuItems.id] }),
    foreignKey({
      columns: [t.merchantId, t.groupId],
      foreignColumns: [menuOptionGroups.merchantId, menuOptionGroups.id],
    }),
    index('menu_item_option_groups_group').on(t.merchantId, t.groupId),
    tenantPolicy(),
  ],
);
