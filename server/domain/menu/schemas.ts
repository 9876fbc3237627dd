/** Schemas of the menu, shared with its forms. */
import { z } from 'zod';
import { allergens, diets } from '../kernel/context';
import { problem } from '../kernel/say';
import { maxMoney, moneyOrZero, pageFields, plu, searchText, text, uuid } from '../kernel/schemas';
import { itemTranslations, nameTranslations, oneLine, translatedText } from '../kernel/translations';
import { tableChoice } from '../table-files/schemas';

const name = z.string().overwrite(oneLine).pipe(text(80));
export const allergen = z.enum(allergens);
export const diet = z.enum(diets);

/** Limits of a merchant's menu. */
export const menuLimits = {
  categories: 200,
  itemsOfCategory: 500,
  optionGroups: 200,
  photoBytes: 8 * 1024 * 1024,
  fileBytes: 4_000_000,
};

const unique = <T>(list: T[]) => new Set(list).size === list.length;
const ids = (max: number) => z.array(uuid).max(max).refine(unique, problem('repeated'));
/** The allergens of every country, so that stored values stay valid if the merchant's country changes. */
const containedAllergens = z.array(allergen).max(allergens.length).refine(unique, problem('repeated')).default([]);

/** Where the items of a category are made, such as `Bar`. Empty for none. */
const station = z
  .string()
  .trim()
  .pipe(z.union([z.literal(''), text(40)]))
  .default('');
export const categoryInput = z.strictObject({ name, translations: nameTranslations.default({}), station });
export type CategoryInput = z.infer<typeof categoryInput>;

export const itemInput = z
  .strictObject({
    categoryId: uuid,
    plu: z.string().trim().pipe(plu),
    name,
    description: translatedText(500).default(''),
    translations: itemTranslations.default({}),
    price: moneyOrZero().describe('In minor units.'),
    allergens: containedAllergens,
    diets: z.array(diet).max(diets.length).refine(unique, problem('repeated')).default([]),
    photoId: uuid.nullable().default(null),
    allStores: z.boolean().default(true),
    storeIds: ids(500).default([]).describe('The stores that sell it, unless all do.'),
    optionGroupIds: ids(20).default([]).describe('In their order.'),
  })
  .refine(({ allStores, storeIds }) => allStores || storeIds.length > 0, {
    ...problem('storeMissing'),
    path: ['storeIds'],
  });
export type ItemInput = z.infer<typeof itemInput>;

const option = z.strictObject({
  optionId: uuid.optional().describe('Id of an existing option. Absent for a new one.'),
  name,
  translations: nameTranslations.default({}),
  price: z.int().min(-maxMoney).max(maxMoney).describe("Added to the item's price, in minor units."),
  plu: z.string().trim().pipe(plu).nullable().default(null),
  allergens: containedAllergens.describe("Added to the item's own."),
});

export const optionGroupInput = z
  .strictObject({
    name,
    translations: nameTranslations.default({}),
    minimum: z.int().min(0).max(50),
    maximum: z.int().min(1).max(50),
    options: z.array(option).min(1).max(50).describe('In their order.'),
  })
  .refine(({ minimum, maximum }) => minimum <= maximum, {
    ...problem('belowMinimum'),
    path: ['maximum'],
  })
  .refine(({ minimum, options }) => minimum <= options.length, {
    ...problem('tooFewOptions'),
    path: ['minimum'],
  });
export type OptionGroupInput = z.infer<typeof optionGroupInput>;

export const orderInput = ids(menuLimits.itemsOfCategory).min(1);
export const itemIdsInput = ids(100).min(1);

export const searchItemsInput = z.strictObject({
  search: searchText(80).default(''),
  status: z.enum(['listed', 'untranslated', 'archived']).default('listed'),
  ...pageFields,
});
export type SearchItemsInput = z.infer<typeof searchItemsInput>;

/** The columns of a menu's file. */
export const csvColumns = ['plu', 'name', 'price', 'category', 'description', 'allergens', 'diets', 'stores'] as const;

export const importItemsInput = z.strictObject({
  file: z
    .base64()
    .max(Math.ceil(menuLimits.fileBytes / 3) * 4)
    .describe('The bytes of an Excel or CSV file, in base64.'),
  ...tableChoice,
  columns: z
    .partialRecord(z.enum(csvColumns), z.int().min(0).max(199))
    .optional()
    .describe('The column of each field, counted from 0. By default, the headings tell.'),
  dryRun: z.boolean().describe('Check the file and report what would change, but change nothing.'),
});
export type ImportItemsInput = z.infer<typeof importItemsInput>;
