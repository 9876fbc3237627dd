import { withMerchant } from '@/db/driver';
import type { StaffContext } from '../kernel/context';
import { noValue, type Value } from '../ledger';
import { type FileMarks, findDecimalMarks } from './decimal-marks';
import { plannedFile } from './import-rows';
import { findImport, firstRows } from './imports';
import { addValues } from './openings';
import { type PlannedRow, planRows, SeenPeople } from './plan-rows';
import { contextOf } from './row-context';
import { isSkipped, readRow, valuesOf } from './rows';
import type { MappedImportInput } from './schemas';

export interface ImportTotals {
  /** Rows that would be imported. Some of them have a warning. */
  ready: number;
  warnings: number;
  /** Rows of existing customers, rows of people who are in the file before, and other rows that would be skipped. */
  existing: number;
  twins: number;
  skipped: number;
  /** Existing customers who would get the opening balance of their row. */
  added: number;
  /** The opening balances of new customers, and of existing ones. */
  openings: Value;
  addedOpenings: Value;
  /** The vouchers, of new customers and of existing ones. */
  vouchers: number;
  addedVouchers: number;
}

export interface FileCount extends FileMarks {
  totals: ImportTotals;
  /** The opening balances of all rows that can be read: no import of the file can add more. */
  maxOpenings: Value;
  /** As many vouchers, likewise. */
  maxVouchers: number;
}

/** Rows per database transaction. */
const batchSize = 2_000;

/** A row of the file, and what the import would do with it. */
type FileRow = PlannedRow & { rowNumber: number; cells: string[] };

/**
 * Plans the rows of a whole file, batch by batch. Only contacts are remembered, to find twins. Errors: `import_not_found`.
 */
export async function* planFile(
  ctx: StaffContext,
  { importId, mapping }: MappedImportInput,
  { fileName, decimalMarks }: { fileName: string; decimalMarks: FileMarks['decimalMarks'] },
  signal?: AbortSignal,
): AsyncGenerator<FileRow[]> {
  const file = plannedFile(ctx, { importId, fileName, mapping });
  const seen = new SeenPeople();
  for (let after: number | null = 0; after !== null; ) {
    signal?.throwIfAborted();
    const from: number = after;
    const { rows, last } = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
      const context = await contextOf(tx, ctx.merchant, { ...mapping, decimalMarks }, ctx.clock.now());
      const found = await firstRows(tx, importId, { after: from, take: batchSize });
      const read = found.map((row) => ({ ...row, ...readRow(valuesOf(row.cells, mapping), context) }));
      return { rows: await planRows(tx, file, read, seen), last: found.length < batchSize ? null : found.at(-1) };
    });
    yield rows;
    after = last?.rowNumber ?? null;
  }
}

/** Returns a file's name, and how its columns write amounts. Errors: `import_not_found`. */
export const findFile = (ctx: StaffContext, { importId, mapping }: MappedImportInput) =>
  withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { fileName } = await findImport(tx, importId);
    return { fileName, ...(await findDecimalMarks(tx, importId, mapping, ctx.merchant)) };
  });

/** Adds up what the import of a file would do. Errors: `import_not_found`. */
export async function countRows(ctx: StaffContext, input: MappedImportInput, signal?: AbortSignal): Promise<FileCount> {
  const { fileName, ...marks } = await findFile(ctx, input);
  const counts = { ready: 0, warnings: 0, existing: 0, twins: 0, skipped: 0, added: 0 };
  const totals: ImportTotals = { ...counts, openings: noValue, addedOpenings: noValue, vouchers: 0, addedVouchers: 0 };
  let maxOpenings = noValue;
  let maxVouchers = 0;
  for await (const rows of planFile(ctx, input, { fileName, ...marks }, signal)) {
    for (const row of rows) {
      if (row.opening) maxOpenings = addValues(maxOpenings, row.opening);
      maxVouchers += row.opening?.vouchers?.count ?? 0;
      addRow(totals, row);
    }
  }
  return { ...marks, totals, maxOpenings, maxVouchers };
}

/** Counts a row as the import would treat it. */
function addRow(totals: ImportTotals, row: PlannedRow): void {
  const { problems, opening, addTo } = row;
  if (problems.includes('alreadyCustomer')) totals.existing += 1;
  else if (problems.includes('twiceInFile')) totals.twins += 1;
  else if (isSkipped(row)) totals.skipped += 1;
  else if (addTo !== null) {
    totals.added += 1;
    if (opening) totals.addedOpenings = addValues(totals.addedOpenings, opening);
    totals.addedVouchers += opening?.vouchers?.count ?? 0;
  } else {
    totals.ready += 1;
    if (problems.length > 0) totals.warnings += 1;
    if (opening) totals.openings = addValues(totals.openings, opening);
    totals.vouchers += opening?.vouchers?.count ?? 0;
  }
}

/** Adds up what the import of a file would do, for the screen. Errors: `import_not_found`. */
export const sumImport = async (ctx: StaffContext, input: MappedImportInput, signal?: AbortSignal) =>
  (await countRows(ctx, input, signal)).totals;
