import { and, eq, isNotNull } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { customerImportRows } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { type ListOrder, type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import { type FileMarks, findDecimalMarks } from './decimal-marks';
import { findImport, firstRows } from './imports';
import { type PlannedFile, planRows } from './plan-rows';
import { contextOf } from './row-context';
import { plainValuesOf, type RowValues, readRow, valuesOf } from './rows';
import type { ImportProblem, MappedImportInput } from './schemas';

export interface PreviewedRow {
  rowNumber: number;
  values: RowValues;
  problems: ImportProblem[];
}

/** The file as `planRows` needs it before the import has started. */
export const plannedFile = (
  { merchant, clock }: StaffContext,
  { importId, fileName, mapping }: MappedImportInput & { fileName: string },
): PlannedFile => ({
  importId,
  fileName,
  merchant,
  addsToKnown: mapping.addsToKnown ?? false,
  startedAt: null,
  isLocking: false,
  now: clock.now(),
});

export interface ImportPreview extends FileMarks {
  rows: PreviewedRow[];
}

/** Previews the result of the first rows, and says how the whole file writes its amounts. */
export function previewImport(ctx: StaffContext, { importId, mapping }: MappedImportInput): Promise<ImportPreview> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { fileName } = await findImport(tx, importId);
    const marks = await findDecimalMarks(tx, importId, mapping, ctx.merchant);
    const given = { ...mapping, decimalMarks: marks.decimalMarks };
    const context = await contextOf(tx, ctx.merchant, given, ctx.clock.now());
    const read = (await firstRows(tx, importId)).map(({ rowNumber, cells }) => {
      return { rowNumber, values: plainValuesOf(cells, mapping), ...readRow(valuesOf(cells, mapping), context) };
    });
    const planned = await planRows(tx, plannedFile(ctx, { importId, fileName, mapping }), read);
    const rows = planned.map(({ rowNumber, values, problems }) => ({ rowNumber, values, problems }));
    return { rows, ...marks };
  });
}

const byRow: ListOrder = { columns: [customerImportRows.rowNumber], kinds: ['number'], descending: false };

/** Lists the skipped rows and the rows with a warning, with their reasons. Errors: `import_not_found`. */
export function listProblems(
  ctx: StaffContext,
  { importId, ...input }: PageRequest & { importId: string },
): Promise<Page<PreviewedRow>> {
  const page = seekPage(input, byRow);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { mapping } = await findImport(tx, importId);
    const { where, orderBy, limit } = seekSql(page, byRow);
    const { rowNumber, cells, problems, ...kept } = customerImportRows;
    const rows = await tx.db
      .select({ rowNumber, cells, problems })
      .from(customerImportRows)
      .where(and(eq(kept.merchantId, tx.merchantId), eq(kept.importId, importId), isNotNull(problems), where))
      .orderBy(...orderBy)
      .limit(limit);
    return toPage(
      rows,
      page,
      (row) => [row.rowNumber],
      (row): PreviewedRow => ({
        rowNumber: row.rowNumber,
        // Rows have problems only after the import has started, and then it has a mapping.
        values: mapping ? plainValuesOf(row.cells, mapping) : {},
        problems: row.problems ?? [],
      }),
    );
  });
}
