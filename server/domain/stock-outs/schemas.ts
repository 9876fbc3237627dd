import { z } from 'zod';
import {
  givenInstant,
  instant,
  pageCursor,
  pageLimit,
  plu,
  searchText,
  storeCode,
  uuid,
  writeFields,
} from '../kernel/schemas';

const plus = z
  .array(plu)
  .min(1)
  .max(500)
  .transform((list) => [...new Set(list)])
  .describe('1 to 500 PLUs. A repeated PLU counts once. PLUs that are not on the menu are accepted.');

export const stockOutInput = z.strictObject({
  ...writeFields,
  plus,
  until: givenInstant()
    .nullable()
    .optional()
    .describe(
      'When the items become available again (RFC 3339 with offset). Null means when they are restored. If it is absent, items that are already sold out keep their time and the others stay out until they are restored.',
    ),
});
export type StockOutInput = z.infer<typeof stockOutInput>;

const item = z.object({
  plu: z.string(),
  name: z.string().nullable().describe('Name on the menu. Null if the PLU is not on the menu.'),
  known: z.boolean().describe('True if the PLU is on the menu.'),
});

export const stockOutOutput = z.object({
  storeCode: z.string(),
  items: z.array(item.extend({ status: z.enum(['stocked_out', 'already_stocked_out']), until: instant.nullable() })),
});
export type StockOutOutput = z.infer<typeof stockOutOutput>;

export const restoreInput = z.strictObject({ ...writeFields, plus });
export type RestoreInput = z.infer<typeof restoreInput>;

export const restoreOutput = z.object({
  storeCode: z.string(),
  items: z.array(item.extend({ status: z.enum(['restored', 'not_stocked_out']) })),
});
export type RestoreOutput = z.infer<typeof restoreOutput>;

/** The data of an event. */
export const stockOutChange = z
  .object({
    storeCode: z.string(),
    items: z.array(
      item.extend({
        status: z.enum(['stocked_out', 'restored']),
        until: instant.nullable().describe('When it is available again by itself. Null: when it is restored.'),
      }),
    ),
  })
  .meta({ id: 'StockOutChange' });

export const listStockOutsInput = z.strictObject({
  storeCode: storeCode.optional(),
  after: pageCursor(400),
  limit: pageLimit(100),
});
export type ListStockOutsInput = z.infer<typeof listStockOutsInput>;

export const listStockOutsOutput = z.object({
  storeCode: z.string(),
  items: z.array(item.extend({ until: instant.nullable(), stockedOutAt: instant })).describe('Sorted by PLU.'),
  nextCursor: z.string().nullable().describe('Send it as `after` to get the next page. Null on the last page.'),
});
export type ListStockOutsOutput = z.infer<typeof listStockOutsOutput>;

/** One item at one store. */
const atStore = { storeId: uuid, plu };

export const listSoldOutInput = z.strictObject({
  storeId: uuid.optional(),
  categoryId: uuid.optional(),
  search: searchText(80).default(''),
});
export type ListSoldOutInput = z.infer<typeof listSoldOutInput>;

const maxItemsPerRequest = 2_000;

export const markSoldOutInput = z.strictObject({
  items: z
    .array(
      z.strictObject({
        ...atStore,
        until: z
          .union([z.literal('tomorrow'), givenInstant()])
          .nullable()
          .describe('Null: until someone restores it. `tomorrow`: until the next day starts at the store.'),
      }),
    )
    .min(1)
    .max(maxItemsPerRequest),
});
export type MarkSoldOutInput = z.infer<typeof markSoldOutInput>;

export const restoreSoldOutInput = z.strictObject({
  items: z.array(z.strictObject(atStore)).min(1).max(maxItemsPerRequest),
});
export type RestoreSoldOutInput = z.infer<typeof restoreSoldOutInput>;
