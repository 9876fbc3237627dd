import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { invalid } from '../core/errors';
import { newId } from '../core/ids';
import { checkRevision, revisionOf } from '../core/revision';
import type { StaffContext } from '../staff/context';
import { changeMenu, notOnMenu, orTaken } from './change-menu';
import { menuLimits, type OptionGroupInput } from './schemas';

export interface OptionGroup extends Omit<OptionGroupInput, 'options'> {
  optionGroupId: string;
  revision: string;
  options: (OptionGroupInput['options'][number] & { optionId: string })[];
  /** How many items on the menu offer it. */
  itemCount: number;
}

/** All groups of options, by name. */
export function listOptionGroups({ db, merchant }: StaffContext): Promise<OptionGroup[]> {
  return withMerchant(db, merchant.id, (tx) => selectGroups(tx, null));
}

/** Errors: `menu_entry_not_found`. */
export function getOptionGroup(
  { db, merchant }: StaffContext,
  { optionGroupId }: { optionGroupId: string },
): Promise<OptionGroup> {
  return withMerchant(db, merchant.id, (tx) => findGroup(tx, optionGroupId));
}

/** Errors: `invalid_request` for a name that is taken, an option that is not the group's, or one group too many. */
export function createOptionGroup(ctx: StaffContext, group: OptionGroupInput): Promise<{ optionGroupId: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const [{ count }] = await sql<[{ count: number }]>`
      select count(*)::int as count from menu_option_groups where merchant_id = ${merchantId}`;
    if (count >= menuLimits.optionGroups) {
      throw invalid('name', `can not be added: a menu has at most ${menuLimits.optionGroups} option groups`);
    }
    const id = newId();
    const insert = sql`
      insert into menu_option_groups (merchant_id, id, name, translations, minimum, maximum)
      values (${merchantId}, ${id}, ${group.name}, ${JSON.stringify(group.translations)}::text::jsonb, ${group.minimum},
        ${group.maximum})`;
    await orTaken(insert, 'menu_option_groups_name', 'name');
    await saveOptions(tx, id, group.options, []);
    await auditStaff(tx, ctx, 'menuOptionGroup.create', { kind: 'menuOptionGroup', id }, { after: group });
    return { optionGroupId: id };
  });
}

/** Errors: as above, `menu_entry_not_found` and `edited_meanwhile`. Options that are no longer named are gone. */
export function updateOptionGroup(
  ctx: StaffContext,
  { optionGroupId: id, revision: opened, ...group }: OptionGroupInput & { optionGroupId: string; revision: string },
): Promise<{ revision: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const { revision: found, ...before } = await findGroup(tx, id);
    checkRevision(opened, found);
    const update = sql`
      update menu_option_groups set name = ${group.name}, translations = ${JSON.stringify(group.translations)}::text::jsonb,
        minimum = ${group.minimum}, maximum = ${group.maximum}
      where merchant_id = ${merchantId} and id = ${id}`;
    await orTaken(update, 'menu_option_groups_name', 'name');
    const present = before.options.map(({ optionId }) => optionId);
    await saveOptions(tx, id, group.options, present);
    await auditStaff(tx, ctx, 'menuOptionGroup.update', { kind: 'menuOptionGroup', id }, { before, after: group });
    return { revision: (await findGroup(tx, id)).revision };
  });
}

/** Takes a group off the menu and off all items. Errors: `menu_entry_not_found`. */
export function deleteOptionGroup(ctx: StaffContext, { optionGroupId: id }: { optionGroupId: string }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, sql } = tx;
    const { revision: _, ...before } = await findGroup(tx, id);
    await sql`delete from menu_item_option_groups where merchant_id = ${merchantId} and group_id = ${id}`;
    await sql`delete from menu_options where merchant_id = ${merchantId} and group_id = ${id}`;
    await sql`delete from menu_option_groups where merchant_id = ${merchantId} and id = ${id}`;
    await auditStaff(tx, ctx, 'menuOptionGroup.delete', { kind: 'menuOptionGroup', id }, { before });
  });
}

/** Makes the group's options these, in this order; an option keeps its id. */
async function saveOptions(tx: Tx, groupId: string, options: OptionGroupInput['options'], present: string[]) {
  const { merchantId, sql } = tx;
  const kept = options.flatMap(({ optionId }) => optionId ?? []);
  if (new Set(kept).size < kept.length || kept.some((id) => !present.includes(id))) {
    throw invalid('options', 'has an option that is not of this group');
  }
  const rows = options.map(({ optionId, translations, ...option }) => ({
    id: optionId ?? newId(),
    translations: JSON.stringify(translations),
    ...option,
  }));
  await sql`
    delete from menu_options where merchant_id = ${merchantId} and group_id = ${groupId} and not id = any(${kept})`;
  await sql`
    insert into menu_options (merchant_id, id, group_id, name, translations, price, plu, position)
    select ${merchantId}, id, ${groupId}, name, translations::jsonb, price, plu, position
    from rows from (json_to_recordset(${JSON.stringify(rows)}::text::json)
      as (id uuid, name text, translations text, price bigint, plu text)) with ordinality
      as r (id, name, translations, price, plu, position)
    on conflict (merchant_id, id) do update set name = excluded.name, translations = excluded.translations,
      price = excluded.price, plu = excluded.plu, position = excluded.position`;
}

async function findGroup(tx: Tx, optionGroupId: string): Promise<OptionGroup> {
  const [group] = await selectGroups(tx, optionGroupId);
  if (!group) throw notOnMenu('option group');
  return group;
}

async function selectGroups({ merchantId, sql }: Tx, id: string | null): Promise<OptionGroup[]> {
  const rows = await sql<Omit<OptionGroup, 'revision'>[]>`
    select g.id as "optionGroupId", g.name, g.translations, g.minimum, g.maximum, o.options, (
      select count(*)::int from menu_item_option_groups l
      join menu_items i on i.merchant_id = l.merchant_id and i.id = l.item_id and i.archived_at is null
      where l.merchant_id = g.merchant_id and l.group_id = g.id) as "itemCount"
    from menu_option_groups g
    cross join lateral (
      select json_agg(json_build_object('optionId', id, 'name', name, 'translations', translations, 'price', price,
        'plu', plu) order by position) as options
      from menu_options where merchant_id = g.merchant_id and group_id = g.id
    ) o
    where g.merchant_id = ${merchantId} ${id === null ? sql`` : sql`and g.id = ${id}`}
    order by g.name, g.id`;
  return rows.map(({ itemCount, ...edited }) => ({ ...edited, itemCount, revision: revisionOf(edited) }));
}
