import { queriesOn, type Sql } from '../driver';
import { diets as allDiets } from '../kinds/lists';
import type { Queries } from '../query/queries';
import * as schema from '../schema';
import type { DemoMerchant } from './demo-data';
import { drawPhotos } from './demo-photos';
import { translatedItem, translatedName } from './demo-translations';
import { seedId } from './seed-id';

export interface DemoSecrets {
  /** One per member of staff, by e-mail address. */
  passwordHashes: ReadonlyMap<string, string>;
  /** The merchant-wide key first, then one per store. */
  keys: { storeCode: string | null; hash: Buffer; lastFour: string }[];
}

/** Writes a demo merchant with its stores, keys, staff, packages and menu, where missing. */
export async function seedMerchant(sql: Sql, merchant: DemoMerchant, secrets: DemoSecrets): Promise<void> {
  await sql.begin(async (connection) => {
    const db = queriesOn(connection);
    const { id, name, currency, country, timeZone, locale, balanceLimit, tax } = merchant;
    await db
      .insert(schema.merchants)
      .values({
        id,
        name,
        currency,
        country,
        timeZone,
        locale,
        balanceLimit,
        ...tax,
        earnPoints: 1,
        earnPerAmount: 100,
        recordsEvents: true,
        eventTypes: null,
      })
      .onConflictDoNothing();
    await db
      .insert(schema.stores)
      .values(merchant.stores.map((store) => ({ merchantId: id, id: storeId(merchant, store.storeCode), ...store })))
      .onConflictDoNothing();
    const keys = secrets.keys.map(({ storeCode, hash, lastFour }) => ({
      merchantId: id,
      id: seedId(id, 'key', hash.toString('hex')),
      storeId: storeCode === null ? null : storeId(merchant, storeCode),
      name: storeCode === null ? 'All stores' : `POS ${storeCode}`,
      environment: 'sandbox' as const,
      hash,
      lastFour,
    }));
    await db.insert(schema.apiKeys).values(keys).onConflictDoNothing();
    await seedStaff(db, merchant, secrets.passwordHashes);
    await seedPackages(db, merchant);
    await seedMenu(db, merchant);
    await seedOptionGroups(db, merchant);
  });
}

export const storeId = (merchant: DemoMerchant, storeCode: string) => seedId(merchant.id, 'store', storeCode);

async function seedStaff(db: Queries, merchant: DemoMerchant, hashes: DemoSecrets['passwordHashes']): Promise<void> {
  for (const { role, name, email } of [{ role: 'owner' as const, ...merchant.owner }, ...merchant.staff]) {
    const [userId, passwordHash = ''] = [seedId('user', email), hashes.get(email)];
    await db
      .insert(schema.users)
      .values({ id: userId, email, name, passwordHash })
      .onConflictDoUpdate({ target: schema.users.id, set: { passwordHash } });
    await db.insert(schema.memberships).values({ merchantId: merchant.id, userId, role }).onConflictDoNothing();
  }
}

async function seedPackages(db: Queries, merchant: DemoMerchant): Promise<void> {
  for (const [position, { storeCodes, ...offer }] of merchant.packages.entries()) {
    const packageId = seedId(merchant.id, 'package', position);
    const kind = offer.amount === undefined ? ('open' as const) : ('fixed' as const);
    await db
      .insert(schema.storedValuePackages)
      .values({
        merchantId: merchant.id,
        id: packageId,
        kind,
        position,
        allStores: storeCodes === null,
        ...offer,
        translations: translatedName(offer.name),
      })
      .onConflictDoNothing();
    for (const storeCode of storeCodes ?? []) {
      const row = { merchantId: merchant.id, packageId, storeId: storeId(merchant, storeCode) };
      await db.insert(schema.storedValuePackageStores).values(row).onConflictDoNothing();
    }
  }
}

async function seedMenu(db: Queries, { id: merchantId, menu, allergens, diets }: DemoMerchant): Promise<void> {
  const photos = await drawPhotos(Object.values(menu).flatMap((items) => items.map(([plu]) => plu)));
  const photoId = (plu: string) => seedId(merchantId, 'photo', plu);
  const drawn = [...photos].map(([plu, photo]) => ({ merchantId, id: photoId(plu), ...photo }));
  await db.insert(schema.menuPhotos).values(drawn).onConflictDoNothing();
  for (const [position, [name, items]] of Object.entries(menu).entries()) {
    const categoryId = seedId(merchantId, 'category', name);
    await db
      .insert(schema.menuCategories)
      .values({ merchantId, id: categoryId, name, translations: translatedName(name), position })
      .onConflictDoNothing();
    const rows = items.map(([plu, itemName, price, description], index) => ({
      merchantId,
      id: seedId(merchantId, 'item', plu),
      categoryId,
      plu,
      name: itemName,
      translations: translatedItem(itemName, description),
      price,
      description,
      allergens: allergens[plu] ?? [],
      diets: allDiets.filter((diet) => diets[diet]?.includes(plu)),
      photoId: photos.has(plu) ? photoId(plu) : null,
      position: index,
    }));
    await db.insert(schema.menuItems).values(rows).onConflictDoNothing();
  }
}

async function seedOptionGroups(db: Queries, merchant: DemoMerchant): Promise<void> {
  const { id: merchantId, menu, optionGroups, optionAllergens } = merchant;
  for (const { name, minimum, maximum, options, categories, plus = [] } of optionGroups) {
    const groupId = seedId(merchantId, 'optionGroup', name);
    const group = { merchantId, id: groupId, name, translations: translatedName(name), minimum, maximum };
    await db.insert(schema.menuOptionGroups).values(group).onConflictDoNothing();
    const rows = options.map(([optionName, price], position) => ({
      merchantId,
      id: seedId(merchantId, 'option', `${name} ${optionName}`),
      groupId,
      name: optionName,
      translations: translatedName(optionName),
      price,
      allergens: optionAllergens[optionName] ?? [],
      position,
    }));
    await db.insert(schema.menuOptions).values(rows).onConflictDoNothing();
    const ofCategories = categories.flatMap((category) => menu[category]?.map(([plu]) => plu) ?? []);
    const links = [...ofCategories, ...plus].map((plu) => ({
      merchantId,
      itemId: seedId(merchantId, 'item', plu),
      groupId,
      position: 1,
    }));
    await db.insert(schema.menuItemOptionGroups).values(links).onConflictDoNothing();
  }
}
