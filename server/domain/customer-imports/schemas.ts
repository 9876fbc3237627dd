import { z } from 'zod';
import {
  amountFields,
  dateOrders,
  importFields,
  importProblems,
  importWarnings,
  profileColumns,
} from '@/db/kinds/lists';
import { decimalMarks } from '../kernel/amount-cells';
import { problem } from '../kernel/say';
import { pageFields, uuid } from '../kernel/schemas';
import { tableChoice } from '../table-files/schemas';

export const importField = z.enum(importFields);
export type ImportField = z.infer<typeof importField>;
const profileFields: readonly ImportField[] = profileColumns;
/** True for a field of the customer, false for one of what the customer gets. */
export const isOfProfile = (field: ImportField): boolean => profileFields.includes(field);
/** The fields whose cells are the last days of something. */
export const expiryFields = ['expiresOn', 'bonusExpiresOn', 'voucherExpiresOn'] as const satisfies ImportField[];
export const dateOrder = z.enum(dateOrders);
export type DateOrder = z.infer<typeof dateOrder>;

export const amountField = z.enum(amountFields);
export type AmountField = z.infer<typeof amountField>;
const decimalMarkChoices = z.partialRecord(amountField, z.enum(decimalMarks));
export type DecimalMarks = z.infer<typeof decimalMarkChoices>;

export const importMapping = z
  .strictObject({
    columns: z
      .partialRecord(importField, z.int().min(0).max(99))
      .describe('The column that holds the field, counted from 0. Absent if the file has no such column.'),
    dateOrder: dateOrder.describe('Format of dates in the file.'),
    decimalMarks: decimalMarkChoices
      .optional()
      .describe('The decimal mark of columns in which `1.250` could be a thousand. Other columns show it themselves.'),
    addsToKnown: z
      .boolean()
      .optional()
      .describe('True to add the opening balances of customers who exist. By default, they stay unchanged.'),
  })
  .refine(({ columns }) => columns.phone !== undefined || columns.email !== undefined, {
    ...problem('contactColumnMissing'),
    path: ['columns', 'phone'],
  });
export type ImportMapping = z.infer<typeof importMapping>;

/** The query of an upload. */
export const uploadInput = z.object({
  name: z.string().min(1).max(200),
  encoding: tableChoice.encoding,
  sheet: z.coerce.number().pipe(tableChoice.sheet.unwrap()).optional(),
});

const importId = uuid;
export const oneImportInput = z.strictObject({ importId });
export const mappedImportInput = z.strictObject({ importId, mapping: importMapping });
export type MappedImportInput = z.infer<typeof mappedImportInput>;
export const listImportsInput = z.strictObject(pageFields);
export const importProblemsInput = z.strictObject({ importId, ...pageFields });

export const importProblem = z.enum(importProblems);
export type ImportProblem = z.infer<typeof importProblem>;
/** True for a problem that skips only a field. */
export const isWarning = (problem: ImportProblem) => importWarnings.some((one) => one === problem);
