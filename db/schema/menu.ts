import { sql } from 'drizzle-orm';
import { check, foreignKey, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { amount, createdAt, id, instant, merchantId, tenantPolicy } from '../columns';
import { merchants } from './merchants';

export const menuCategories = pgTable(
  'menu_categories',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.id] }), tenantPolicy()],
);

/** What a store sells, by the POS's price look-up code. */
export const menuItems = pgTable(
  'menu_items',
  {
    merchantId: merchantId().references(() => merchants.id),
    id: id(),
    categoryId: uuid('category_id').notNull(),
    plu: text('plu').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    price: amount('price').notNull(),
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
    check('menu_items_price', sql`${t.price} >= 0`),
    tenantPolicy(),
  ],
);
