import { and, asc, count, eq, isNull, not, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf, insertRows, jsonArray, nameOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import { menuItemOptionGroups, menuItems, menuOptionGroups, menuOptions } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import type { StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { checkRevision, revisionOf } from '../kernel/revision';
import { say } from '../kernel/say';
import { changeMenu, notOnMenu, rejectTaken, setToInserted } from './change-menu';
import { menuLimits, type OptionGroupInput } from './schemas';

export interface OptionGroup extends Omit<OptionGroupInput, 'options'> {
  optionGroupId: string;
  revision: string;
  options: (OptionGroupInput['options'][number] & { optionId: string })[];
  /** The number of items on the menu with this group. */
  itemCount: number;
}

/** Lists all option groups by name. */
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

/** Errors: `invalid_request` for a name that is taken, an option of another group, or too many groups. */
export function createOptionGroup(ctx: StaffContext, group: OptionGroupInput): Promise<{ optionGroupId: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const { present } = only(
      await db.select({ present: count() }).from(menuOptionGroups).where(eq(menuOptionGroups.merchantId, merchantId)),
    );
    if (present >= menuLimits.optionGroups) {
      throw invalid('name', say('tooManyOptionGroups', { count: menuLimits.optionGroups }));
    }
    const id = newId();
    const insert = db.insert(menuOptionGroups).values({ ...toGroupColumns(group), merchantId, id });
    await rejectTaken(insert, 'menu_option_groups_name', 'name');
    await saveOptions(tx, id, group.options, []);
    await auditStaff(tx, ctx, 'menuOptionGroup.create', { kind: 'menuOptionGroup', id }, { after: group });
    return { optionGroupId: id };
  });
}

/**
 * Updates a group. Deletes options that are no longer named. Errors: as `createOptionGroup`, `menu_entry_not_found` and
 * `edited_meanwhile`.
 */
export function updateOptionGroup(
  ctx: StaffContext,
  { optionGroupId: id, revision: opened, ...group }: OptionGroupInput & { optionGroupId: string; revision: string },
): Promise<{ revision: string }> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const { revision: found, ...before } = await findGroup(tx, id);
    checkRevision(opened, found);
    const update = db
      .update(menuOptionGroups)
      .set(toGroupColumns(group))
      .where(and(eq(menuOptionGroups.merchantId, merchantId), eq(menuOptionGroups.id, id)));
    await rejectTaken(update, 'menu_option_groups_name', 'name');
    const present = before.options.map(({ optionId }) => optionId);
    await saveOptions(tx, id, group.options, present);
    await auditStaff(tx, ctx, 'menuOptionGroup.update', { kind: 'menuOptionGroup', id }, { before, after: group });
    return { revision: (await findGroup(tx, id)).revision };
  });
}

/** Returns the columns of a group's row. */
const toGroupColumns = ({ options, ...columns }: OptionGroupInput) => columns;

/** Deletes a group and removes it from all items. Errors: `menu_entry_not_found`. */
export function deleteOptionGroup(ctx: StaffContext, { optionGroupId: id }: { optionGroupId: string }): Promise<void> {
  return changeMenu(ctx, async (tx) => {
    const { merchantId, db } = tx;
    const { revision, ...before } = await findGroup(tx, id);
    await db
      .delete(menuItemOptionGroups)
      .where(and(eq(menuItemOptionGroups.merchantId, merchantId), eq(menuItemOptionGroups.groupId, id)));
    await db.delete(menuOptions).where(and(eq(menuOptions.merchantId, merchantId), eq(menuOptions.groupId, id)));
    await db
      .delete(menuOptionGroups)
      .where(and(eq(menuOptionGroups.merchantId, merchantId), eq(menuOptionGroups.id, id)));
    await auditStaff(tx, ctx, 'menuOptionGroup.delete', { kind: 'menuOptionGroup', id }, { before });
  });
}

/** Replaces the group's options by these, in this order. Existing options keep their ids. */
async function saveOptions(tx: Tx, groupId: string, options: OptionGroupInput['options'], present: string[]) {
  const { merchantId, db } = tx;
  const kept = options.flatMap(({ optionId }) => optionId ?? []);
  if (new Set(kept).size < kept.length || kept.some((id) => !present.includes(id))) {
    throw invalid('options', say('foreignOption'));
  }
  await db
    .delete(menuOptions)
    .where(
      and(eq(menuOptions.merchantId, merchantId), eq(menuOptions.groupId, groupId), not(anyOf(menuOptions.id, kept))),
    );
  await writeOptions(
    tx,
    options.map(({ optionId, ...option }, index) => ({
      ...option,
      id: optionId ?? newId(),
      groupId,
      position: index + 1,
    })),
  );
}

const { name, translations, price, plu, allergens, position } = menuOptions;
const writeOptions = insertRows(
  menuOptions,
  ['id', 'groupId', 'name', 'translations', 'price', 'plu', 'allergens', 'position'],
  sql`(${nameOf(menuOptions.merchantId)}, ${nameOf(menuOptions.id)})
    do update set ${setToInserted([name, translations, price, plu, allergens, position])}`,
);

async function findGroup(tx: Tx, optionGroupId: string): Promise<OptionGroup> {
  const [group] = await selectGroups(tx, optionGroupId);
  if (!group) throw notOnMenu('option group');
  return group;
}

async function selectGroups({ merchantId, db }: Tx, id: string | null): Promise<OptionGroup[]> {
  const groups = menuOptionGroups;
  const ofGroup = db
    .select({
      list: jsonArray({ optionId: menuOptions.id, name, translations, price, plu, allergens }, asc(position)).as(
        'list',
      ),
    })
    .from(menuOptions)
    .where(and(eq(menuOptions.merchantId, groups.merchantId), eq(menuOptions.groupId, groups.id)))
    .as('of_group');
  const offering = db
    .select({ count: count() })
    .from(menuItemOptionGroups)
    .innerJoin(
      menuItems,
      and(
        eq(menuItems.merchantId, menuItemOptionGroups.merchantId),
        eq(menuItems.id, menuItemOptionGroups.itemId),
        isNull(menuItems.archivedAt),
      ),
    )
    .where(and(eq(menuItemOptionGroups.merchantId, groups.merchantId), eq(menuItemOptionGroups.groupId, groups.id)));
  const rows = await db
    .select({
      optionGroupId: groups.id,
      name: groups.name,
      translations: groups.translations,
      minimum: groups.minimum,
      maximum: groups.maximum,
      options: ofGroup.list,
      itemCount: sql<number>`${offering}`,
    })
    .from(groups)
    .crossJoinLateral(ofGroup)
    .where(and(eq(groups.merchantId, merchantId), id === null ? undefined : eq(groups.id, id)))
    .orderBy(groups.name, groups.id);
  return rows.map(({ itemCount, options, ...group }) => {
    const edited = { ...group, options: options ?? [] };
    return { ...edited, itemCount, revision: revisionOf(edited) };
  });
}
