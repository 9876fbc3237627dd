/** A store's menu as its diners can order from it. */
import type { Tx } from '@/db/client';
import type { Allergen } from '../menu/schemas';

export interface OptionOnOffer {
  id: string;
  name: string;
  /** Added to the item's, in minor units. */
  price: number;
  plu: string | null;
  isSoldOut: boolean;
}

export interface OptionGroupOnOffer {
  id: string;
  name: string;
  /** How many of its options a diner has to choose, and may. */
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
  photoId: string | null;
  isSoldOut: boolean;
  optionGroups: OptionGroupOnOffer[];
}

export interface CategoryOnOffer {
  id: string;
  name: string;
  items: ItemOnOffer[];
}

interface Wish {
  /** Whose store's menu. */
  qrCodeId: string;
  /** Texts are in this language where they are translated, else the merchant's own; null: the merchant's own. */
  language: string | null;
  /** Only these items; null: all. */
  plus: string[] | null;
  now: Date;
}

interface ItemRow extends Omit<ItemOnOffer, 'isSoldOut' | 'optionGroups'> {
  categoryId: string;
  categoryName: string;
  groupIds: string[];
}

/**
 * What a code's store sells, by category, in the menu's order. Sold-out items and options are marked, and so is an item of which
 * too few options are left to choose as many as one has to.
 */
export async function readMenu(tx: Tx, wish: Wish): Promise<CategoryOnOffer[]> {
  const [items, groups, soldOut] = await Promise.all([
    readItems(tx, wish),
    readGroups(tx, wish),
    readSoldOut(tx, wish),
  ]);
  const isOut = new Set(soldOut.map(({ plu }) => plu));
  const groupOf = new Map(
    groups.map((group) => [
      group.id,
      {
        ...group,
        options: group.options.map((one) => ({ ...one, isSoldOut: one.plu !== null && isOut.has(one.plu) })),
      },
    ]),
  );
  const categories = new Map<string, CategoryOnOffer>();
  for (const { categoryId: id, categoryName: name, groupIds, ...item } of items) {
    const category = categories.get(id) ?? { id, name, items: [] };
    const optionGroups = groupIds.flatMap((groupId) => groupOf.get(groupId) ?? []);
    const isSoldOut = isOut.has(item.plu) || !optionGroups.every(canBeChosen);
    category.items.push({ ...item, isSoldOut, optionGroups });
    categories.set(id, category);
  }
  return [...categories.values()];
}

/** Whether as many of its options are left as a diner has to choose. */
const canBeChosen = ({ minimum, options }: OptionGroupOnOffer): boolean =>
  options.filter((option) => !option.isSoldOut).length >= minimum;

const storeOf = ({ merchantId, sql }: Tx, { qrCodeId }: Wish) =>
  sql`(select store_id from qr_codes where merchant_id = ${merchantId} and id = ${qrCodeId})`;

/** A text of the menu, of the table or alias `of`. */
function said({ sql }: Tx, of: string, text: 'name' | 'description', { language }: Wish) {
  const own = sql.unsafe(`${of}.${text}`);
  if (language === null) return own;
  return sql`coalesce(nullif(${sql.unsafe(of)}.translations -> ${language}::text ->> ${text}::text, ''), ${own})`;
}

function readItems(tx: Tx, wish: Wish) {
  const { merchantId, sql } = tx;
  return sql<ItemRow[]>`
    select c.id as "categoryId", ${said(tx, 'c', 'name', wish)} as "categoryName", i.plu,
      ${said(tx, 'i', 'name', wish)} as name, ${said(tx, 'i', 'description', wish)} as description, i.price, i.allergens,
      i.photo_id as "photoId", array(
        select g.group_id from menu_item_option_groups g where g.merchant_id = i.merchant_id and g.item_id = i.id
        order by g.position, g.group_id) as "groupIds"
    from menu_items i
    join menu_categories c on c.merchant_id = i.merchant_id and c.id = i.category_id
    where i.merchant_id = ${merchantId} and i.archived_at is null
      ${wish.plus === null ? sql`` : sql`and i.plu = any(${wish.plus})`}
      and (i.all_stores or exists (
        select from menu_item_stores a
        where a.merchant_id = i.merchant_id and a.item_id = i.id and a.store_id = ${storeOf(tx, wish)}))
    order by c.position, c.id, i.position, i.plu`;
}

type GroupRow = Omit<OptionGroupOnOffer, 'options'> & { options: Omit<OptionOnOffer, 'isSoldOut'>[] };

function readGroups(tx: Tx, wish: Wish) {
  const { merchantId, sql } = tx;
  const ofItems = sql`
    and g.id in (
      select a.group_id from menu_items i
      join menu_item_option_groups a on a.merchant_id = i.merchant_id and a.item_id = i.id
      where i.merchant_id = ${merchantId} and i.plu = any(${wish.plus ?? []}))`;
  return sql<GroupRow[]>`
    select g.id, ${said(tx, 'g', 'name', wish)} as name, g.minimum, g.maximum, array_to_json(array(
      select json_build_object('id', o.id, 'name', ${said(tx, 'o', 'name', wish)}, 'price', o.price, 'plu', o.plu)
      from menu_options o where o.merchant_id = g.merchant_id and o.group_id = g.id
      order by o.position, o.id)) as options
    from menu_option_groups g
    where g.merchant_id = ${merchantId} ${wish.plus === null ? sql`` : ofItems}`;
}

function readSoldOut(tx: Tx, wish: Wish) {
  const { merchantId, sql } = tx;
  return sql<{ plu: string }[]>`
    select plu from stock_outs
    where merchant_id = ${merchantId} and store_id = ${storeOf(tx, wish)} and (until is null or until > ${wish.now})`;
}
