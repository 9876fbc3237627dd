import { z } from 'zod';
import { problem } from '../kernel/say';
import { text, uuid } from '../kernel/schemas';
import { sameTable, tableNames } from './rules';

const name = z.string().trim().pipe(text(64));
const area = z
  .string()
  .trim()
  .pipe(z.union([z.literal(''), text(64)]))
  .default('');
const seats = z.int().min(1).max(1000).nullable().default(null);

export const maxTablesAtOnce = 200;

export const storeTablesInput = z.strictObject({ storeId: uuid });

/** Several tables of an area, with names for `tableNames`. */
export const addTablesInput = z.strictObject({
  storeId: uuid,
  names: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .refine((typed) => tableNames(typed).length <= maxTablesAtOnce, problem('tooManyTablesAtOnce'))
    .refine((typed) => tableNames(typed).every((one) => name.safeParse(one).success), problem('tableNameTooLong'))
    .refine((typed) => {
      const names = tableNames(typed).map(sameTable);
      return new Set(names).size === names.length;
    }, problem('tableNameRepeated')),
  area,
  seats,
});
export type AddTablesInput = z.infer<typeof addTablesInput>;

export const tableDetails = z.strictObject({ name, area, seats });
export const changeTableInput = tableDetails.extend({ tableId: uuid });
export type ChangeTableInput = z.infer<typeof changeTableInput>;

export const staffTableInput = z.strictObject({ tableId: uuid });
export const staffTablesInput = z.strictObject({ tableIds: z.array(uuid).min(1).max(maxTablesAtOnce) });

export const arrangeTablesInput = storeTablesInput.extend({
  tableIds: z.array(uuid).min(1).max(1_000).describe('All tables of the store, in their order.'),
});
export type ArrangeTablesInput = z.infer<typeof arrangeTablesInput>;

export const moveGuestsInput = z.strictObject({ qrCodeId: uuid, tableId: uuid });
export type MoveGuestsInput = z.infer<typeof moveGuestsInput>;

export const floorCardsInput = z.strictObject({
  storeId: uuid,
  /** Only this area; null for all. */
  area: z.string().max(64).nullable().default(null),
  /** Only these tables; all if empty. */
  tableIds: z.array(uuid).max(maxTablesAtOnce).default([]),
});
export type FloorCardsInput = z.infer<typeof floorCardsInput>;
