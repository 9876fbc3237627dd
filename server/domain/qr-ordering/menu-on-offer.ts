/** Reads a store's menu as its diners can order from it. */

import { and, asc, eq, exists, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, jsonArray, nameIn } from '@/db/query/expressions';
import { type Given, ofEach, prepare, type Queries } from '@/db/query/queries';
import {
  menuCategories,
  menuItemOptionGroups,
  menuItemStores,
  menuItems,
  menuOptionGroups,
  menuOptions,
  qrCodes,
  stockOuts,
} from '@/db/schema';
import type { Allergen, Diet } from '../kernel/context';
import { isOut } from '../stock-outs';

export interface OptionOnOffer {
  id: string;
  name: string;
  /** Added to the item's price, in minor units. */
  price: number;
  plu: string | null;
  /** Allergens that it adds to the item's own. */
  allergens: Allergen[];
  isSoldOut: boolean;
}

export interface OptionGroupOnOffer {
  id: string;
  name: string;
  /** The minimum and maximum number of options to choose. */
  minimum: number;
  maximum: number;
  options: OptionOnOffer[];
}

export interface ItemOnOffer {
  plu: string;
  name: string;
  description: string;
  /** Minor units. */
  price: number;
  allergens: Allergen[];
  diets: Diet[];
  photoId: string | null;
  isSoldOut: boolean;
  optionGroups: OptionGroupOnOffer[];
}

export interface CategoryOnOffer {
  id: string;
  name: string;
  items: ItemOnOffer[];
}

interface MenuRequest {
  /** The store whose menu is read, given directly or by a code. */
  at: { storeId: string } | { qrCodeId: string };
  /** Texts are in this language if translated; null for the merchant's own language. */
  language: string | null;
  /** Only these items; null for all. */
  plus: string[] | null;
  now: Date;
}

/**
 * Returns what a code's store sells, by category, in menu order. Marks sold-out items and options, and items with fewer
 * options left than must be chosen.
 */
export async function readMenu(tx: Tx, request: MenuRequest): Promise<CategoryOnOffer[]> {
  const { merchantId, db } = tx;
  const extent = request.plus === null ? 'all' : 'some';
  const { at, plus, ...rest } = request;
  const place = { qrCodeId: null, storeId: null, ...at };
  const given = { ...rest, ...place, merchantId, plus: plus ?? [] };
  const [items, groups, soldOut] = await Promise.all([
    readItems[extent](db, given),
    readGroups[extent](db, given),
    readSoldOut(db, given),
  ]);
  const isSoldOut = new Set(soldOut.map(({ plu }) => plu));
  const groupOf = new Map(
    groups.map((group) => [
      group.id,
      {
        ...group,
        options: (group.options ?? []).map((one) => ({
          ...one,
          isSoldOut: one.plu !== null && isSoldOut.has(one.plu),
        })),
      },
    ]),
  );
  const categories = new Map<string, CategoryOnOffer>();
  for (const { categoryId: id, categoryName: name, groupIds, ...item } of items) {
    const category = categories.get(id) ?? { id, name, items: [] };
    const optionGroups = groupIds.flatMap((groupId) => groupOf.get(groupId) ?? []);
    const isOff = isSoldOut.has(item.plu) || !optionGroups.every(canBeChosen);
    category.items.push({ ...item, isSoldOut: isOff, optionGroups });
    categories.set(id, category);
  }
  return [...categories.values()];
}

/** True if enough options are left to choose from. */
const canBeChosen = ({ minimum, options }: OptionGroupOnOffer): boolean =>
  options.filter((option) => !option.isSoldOut).length >= minimum;

type MenuQuery = Given<
  Omit<MenuRequest, 'plus' | 'at'> & {
    merchantId: string;
    plus: string[];
    qrCodeId: string | null;
    storeId: string | null;
  }
>;

const storeOf = (db: Queries, { merchantId, qrCodeId, storeId }: MenuQuery) => {
  const ofCode = db
    .select({ storeId: qrCodes.storeId })
    .from(qrCodes)
    .where(and(eq(qrCodes.merchantId, merchantId), eq(qrCodes.id, qrCodeId)));
  return sql<string>`coalesce(${storeId}::uuid, ${ofCode})`;
};

const descriptionIn = ({ description, translations }: typeof menuItems, { language }: MenuQuery) =>
  sql<string>`coalesce(nullif(${translations} -> ${language}::text ->> 'description', ''), ${description})`;

/** Which items to read: all, or the requested ones. */
const extents = ['all', 'some'] as const;

const readItems = ofEach(extents, (extent) =>
  prepare((db, given: MenuQuery) => {
    const groupIds = db
      .select({ groupId: menuItemOptionGroups.groupId })
      .from(menuItemOptionGroups)
      .where(
        and(eq(menuItemOptionGroups.merchantId, menuItems.merchantId), eq(menuItemOptionGroups.itemId, menuItems.id)),
      )
      .orderBy(menuItemOptionGroups.position, menuItemOptionGroups.groupId);
    const ofStore = db
      .select({ storeId: menuItemStores.storeId })
      .from(menuItemStores)
      .where(
        and(
          eq(menuItemStores.merchantId, menuItems.merchantId),
          eq(menuItemStores.itemId, menuItems.id),
          eq(menuItemStores.storeId, storeOf(db, given)),
        ),
      );
    return db
      .select({
        categoryId: menuCategories.id,
        categoryName: nameIn(menuCategories, given.language),
        plu: menuItems.plu,
        name: nameIn(menuItems, given.language),
        description: descriptionIn(menuItems, given),
        price: menuItems.price,
        allergens: menuItems.allergens,
        diets: menuItems.diets,
        photoId: menuItems.photoId,
        groupIds: sql<string[]>`array${groupIds}`,
      })
      .from(menuItems)
      .innerJoin(
        menuCategories,
        and(eq(menuCategories.merchantId, menuItems.merchantId), eq(menuCategories.id, menuItems.categoryId)),
      )
      .where(
        and(
          eq(menuItems.merchantId, given.merchantId),
          isNull(menuItems.archivedAt),
          extent === 'all' ? undefined : anyOf(menuItems.plu, given.plus),
          or(menuItems.allStores, exists(ofStore)),
        ),
      )
      .orderBy(menuCategories.position, menuCategories.id, menuItems.position, menuItems.plu);
  }),
);

const readGroups = ofEach(extents, (extent) =>
  prepare((db, given: MenuQuery) => {
    const ofItems = db
      .select({ groupId: menuItemOptionGroups.groupId })
      .from(menuItems)
      .innerJoin(
        menuItemOptionGroups,
        and(eq(menuItemOptionGroups.merchantId, menuItems.merchantId), eq(menuItemOptionGroups.itemId, menuItems.id)),
      )
      .where(and(eq(menuItems.merchantId, given.merchantId), anyOf(menuItems.plu, given.plus)));
    const { id, price, plu, allergens, position } = menuOptions;
    const ofGroup = db
      .select({
        list: jsonArray(
          { id, name: nameIn(menuOptions, given.language), price, plu, allergens },
          asc(position),
          asc(id),
        ).as('list'),
      })
      .from(menuOptions)
      .where(and(eq(menuOptions.merchantId, menuOptionGroups.merchantId), eq(menuOptions.groupId, menuOptionGroups.id)))
      .as('of_group');
    return db
      .select({
        id: menuOptionGroups.id,
        name: nameIn(menuOptionGroups, given.language),
        minimum: menuOptionGroups.minimum,
        maximum: menuOptionGroups.maximum,
        options: ofGroup.list,
      })
      .from(menuOptionGroups)
      .crossJoinLateral(ofGroup)
      .where(
        and(
          eq(menuOptionGroups.merchantId, given.merchantId),
          extent === 'all' ? undefined : inArray(menuOptionGroups.id, ofItems),
        ),
      );
  }),
);

const readSoldOut = prepare((db, given: MenuQuery) =>
  db
    .select({ plu: stockOuts.plu })
    .from(stockOuts)
    .where(
      and(eq(stockOuts.merchantId, given.merchantId), eq(stockOuts.storeId, storeOf(db, given)), isOut(given.now)),
    ),
);
