import { withMerchant } from '@/db/driver';
import type { StaffContext } from '../kernel/context';
import { noValue, type Value } from '../ledger';
import { type FileMarks, findDecimalMarks } from './decimal-marks';
import { contextOf, markKnown } from './import-rows';
import { findImport, firstRows } from './imports';
import { addValues } from './openings';
import { isSkipped, type ReadRow, readRow, valuesOf } from './rows';
import type { MappedImportInput } from './schemas';

export interface ImportTotals {
  /** Rows that would be imported. Some of them have a warning. */
  ready: number;
  warnings: number;
  /** Rows of existing customers, rows of people who are in the file before, and other rows that would be skipped. */
  existing: number;
  twins: number;
  skipped: number;
  /** The opening balances of the rows that would be imported. */
  openings: Value;
}

export interface FileCount extends FileMarks {
  totals: ImportTotals;
  /** The opening balances of all rows that can be read: no import of the file can add more. */
  maxOpenings: Value;
}

/** Rows per database transaction. */
const batchSize = 2_000;

/**
 * Adds up what the import of a file would do. The rows are read in batches, and only contacts are kept, to find twins.
 * Errors: `import_not_found`.
 */
export async function countRows(
  ctx: StaffContext,
  { importId, mapping }: MappedImportInput,
  signal?: AbortSignal,
): Promise<FileCount> {
  const marks = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await findImport(tx, importId);
    return findDecimalMarks(tx, importId, mapping, ctx.merchant);
  });
  const context = contextOf(ctx, mapping, marks.decimalMarks);
  const totals: ImportTotals = { ready: 0, warnings: 0, existing: 0, twins: 0, skipped: 0, openings: noValue };
  const seen = new SeenContacts();
  let maxOpenings = noValue;
  for (let after: number | null = 0; after !== null; ) {
    signal?.throwIfAborted();
    const from: number = after;
    const { rows, last } = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
      const found = await firstRows(tx, importId, { after: from, take: batchSize });
      const read = found.map(({ cells }) => readRow(valuesOf(cells, mapping), context));
      return { rows: await markKnown(tx, read), last: found.length < batchSize ? null : found.at(-1) };
    });
    for (const row of rows) {
      if (row.opening) maxOpenings = addValues(maxOpenings, row.opening);
      addRow(totals, row, seen);
    }
    after = last?.rowNumber ?? null;
  }
  return { ...marks, totals, maxOpenings };
}

/** Counts a row as the import would treat it: of two people with one phone number or address, the first comes in. */
function addRow(totals: ImportTotals, row: ReadRow, seen: SeenContacts): void {
  if (row.problems.includes('alreadyCustomer')) totals.existing += 1;
  else if (isSkipped(row)) totals.skipped += 1;
  else if (!seen.add(row.profile)) totals.twins += 1;
  else {
    totals.ready += 1;
    if (row.problems.length > 0) totals.warnings += 1;
    if (row.opening) totals.openings = addValues(totals.openings, row.opening);
  }
}

/** The phone numbers and addresses of the rows that come in. */
class SeenContacts {
  private readonly contacts = new Set<string>();

  /** Returns false, and adds nothing, if somebody before has the phone number or the address. */
  add({ phone, email }: ReadRow['profile']): boolean {
    const own = [phone, email?.toLowerCase()].flatMap((one) => one ?? []);
    if (own.some((one) => this.contacts.has(one))) return false;
    for (const one of own) this.contacts.add(one);
    return true;
  }
}

/** Adds up what the import of a file would do, for the screen. Errors: `import_not_found`. */
export const sumImport = async (ctx: StaffContext, input: MappedImportInput, signal?: AbortSignal) =>
  (await countRows(ctx, input, signal)).totals;
