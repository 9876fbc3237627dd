import { and, eq, isNotNull } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customerImportRows } from '@/db/schema';
import { dateIn } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { type ListOrder, type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import { noValue, type Value } from '../ledger';
import { findImport, firstRows } from './imports';
import { addValues } from './openings';
import { isSkipped, type ReadRow, type RowContext, type RowValues, readRow, valuesOf } from './rows';
import { findKnown } from './run';
import type { ImportMapping, ImportProblem, ImportTotalsInput, MappedImportInput } from './schemas';

export interface PreviewedRow {
  rowNumber: number;
  values: RowValues;
  problems: ImportProblem[];
}

const contextOf = ({ merchant, clock }: StaffContext, { dateOrder }: ImportMapping): RowContext => ({
  dateOrder,
  merchant,
  today: dateIn(merchant, clock.now()),
});

/** Marks rows of existing customers as such, if they would otherwise be imported. */
async function markKnown<Row extends ReadRow>(tx: Tx, rows: Row[]): Promise<Row[]> {
  const known = await findKnown(
    tx,
    rows.map(({ profile }) => profile),
  );
  return rows.map((row) => {
    const { phone, email } = row.profile;
    const isKnown = known.has(phone ?? '') || known.has(email?.toLowerCase() ?? '');
    return isKnown && !isSkipped(row) ? { ...row, problems: ['alreadyCustomer'] } : row;
  });
}

/** Previews the result of the first rows. */
export function previewImport(ctx: StaffContext, { importId, mapping }: MappedImportInput): Promise<PreviewedRow[]> {
  const context = contextOf(ctx, mapping);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await findImport(tx, importId);
    const rows = (await firstRows(tx, importId)).map(({ rowNumber, cells }) => {
      const values = valuesOf(cells, mapping);
      return { rowNumber, values, ...readRow(values, context) };
    });
    return (await markKnown(tx, rows)).map(({ rowNumber, values, problems }) => ({ rowNumber, values, problems }));
  });
}

export interface ImportTotals {
  /** Rows that would be imported. Some of them have a warning. */
  ready: number;
  warnings: number;
  /** Rows of existing customers, and other rows that would be skipped. */
  existing: number;
  skipped: number;
  /** The opening balances of the rows that would be imported. */
  openings: Value;
  /** Where to continue; null at the end. */
  next: number | null;
}

/** Rows per database transaction of a count, and the time limit of one call. */
const countBatch = 2_000;
const maxCountMs = 1_000;

/**
 * Adds up the result of a part of a file. Call it again from `next` until that is null. Duplicates within the file are
 * found only during the import. Errors: `import_not_found`.
 */
export async function sumImport(
  ctx: StaffContext,
  { importId, mapping, after }: ImportTotalsInput,
): Promise<ImportTotals> {
  const context = contextOf(ctx, mapping);
  const stopAt = performance.now() + maxCountMs;
  const totals: ImportTotals = { ready: 0, warnings: 0, existing: 0, skipped: 0, openings: noValue, next: after };
  do {
    const from = totals.next ?? 0;
    await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
      await findImport(tx, importId);
      const cells = await firstRows(tx, importId, { after: from, take: countBatch });
      const rows = await markKnown(
        tx,
        cells.map((row) => readRow(valuesOf(row.cells, mapping), context)),
      );
      const ready = rows.filter((row) => !isSkipped(row));
      const existing = rows.filter(({ problems }) => problems.includes('alreadyCustomer')).length;
      totals.ready += ready.length;
      totals.warnings += ready.filter(({ problems }) => problems.length > 0).length;
      totals.existing += existing;
      totals.skipped += rows.length - ready.length - existing;
      for (const { opening } of ready) if (opening) totals.openings = addValues(totals.openings, opening);
      totals.next = cells.length < countBatch ? null : (cells.at(-1)?.rowNumber ?? null);
    });
  } while (totals.next !== null && performance.now() < stopAt);
  return totals;
}

/** Adds up the opening balances of all rows of a file, also of those that the import would skip. */
export async function sumOpenings(ctx: StaffContext, { importId, mapping }: MappedImportInput): Promise<Value> {
  const { principal, bonus, points } = mapping.columns;
  if (principal === undefined && bonus === undefined && points === undefined) return noValue;
  const context = contextOf(ctx, mapping);
  let sum = noValue;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const rows = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
      firstRows(tx, importId, { after: from, take: countBatch }),
    );
    for (const { cells } of rows) {
      const { opening } = readRow(valuesOf(cells, mapping), context);
      if (opening) sum = addValues(sum, opening);
    }
    after = rows.length < countBatch ? null : (rows.at(-1)?.rowNumber ?? null);
  }
  return sum;
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
        values: mapping ? valuesOf(row.cells, mapping) : {},
        problems: row.problems ?? [],
      }),
    );
  });
}
