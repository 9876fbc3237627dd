/** Files of rows and cells that merchants upload: how they are read, and what they turned out to be. */
import { z } from 'zod';
import { encodings } from '@/db/kinds/lists';
import type { TableSource } from '@/db/schema';

export type { TableSource, TextSource } from '@/db/schema';

export const encoding = z.enum(encodings);
export type Encoding = z.infer<typeof encoding>;

/** More sheets than these are not listed. */
export const maxSheets = 100;

/** What a person chose of a file. */
export const tableChoice = {
  encoding: encoding.optional().describe("A text's encoding. By default, its bytes tell."),
  sheet: z
    .int()
    .min(0)
    .max(maxSheets - 1)
    .optional()
    .describe('The sheet of a workbook, counted from 0. By default, the first that has a table.'),
};
export type TableChoice = z.infer<z.ZodObject<typeof tableChoice>>;

/** True if a person has to choose the encoding before anything is imported. */
export const isUnsure = (source: TableSource | null): boolean => source?.kind === 'text' && !source.isCertain;
