import { and, eq, gt, isNotNull, ne, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { customerImportRows, customerImports, type ImportOpenings, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { dateIn } from '../kernel/calendar';
import { announce } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { type ListOrder, type Page, type PageRequest, seek, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import { nothing, type Value } from '../ledger';
import { addValues } from './openings';
import { guessMapping, isSkipped, type ReadRow, type RowContext, type RowValues, readRow, valuesOf } from './rows';
import { findKnown, queueImport } from './run';
import {
  type ImportMapping,
  type ImportProblem,
  type ImportTotalsInput,
  importField,
  type MappedImportInput,
} from './schemas';

export interface CustomerImport {
  importId: string;
  fileName: string;
  state: 'ready' | 'running' | 'finished';
  by: string;
  rowCount: number;
  /** Rows processed. */
  doneCount: number;
  enrolledCount: number;
  problemCount: number;
  /** Rows imported without a field that could not be read. */
  warningCount: number;
  /** The opening balances, and what became of them if they were taken back. */
  openings: ImportOpenings | null;
  undoStartedAt: Date | null;
  undoneAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const sampleSize = 20;
const newestFirst: ListOrder = { columns: [customerImports.id], descending: true };

const { enrolledCount, problemCount, warningCount, openings, undoStartedAt, undoneAt } = customerImports;
const importColumns = {
  importId: customerImports.id,
  fileName: customerImports.fileName,
  state: sql<CustomerImport['state']>`${customerImports.state}`,
  by: users.name,
  rowCount: customerImports.rowCount,
  doneCount: sql<number>`${enrolledCount} + ${problemCount}`,
  enrolledCount,
  problemCount,
  warningCount,
  openings,
  undoStartedAt,
  undoneAt,
  createdAt: customerImports.createdAt,
  finishedAt: customerImports.finishedAt,
};
const isUploaded = ne(customerImports.state, 'uploading').inlineParams();

/** Lists the uploaded files, newest first. */
export async function listImports(ctx: StaffContext, input: PageRequest): Promise<Page<CustomerImport>> {
  const page = seek(input, newestFirst);
  const { where, orderBy, limit } = seekSql(page, newestFirst);
  const rows = await withMerchant(
    ctx.db,
    ctx.merchant.id,
    async ({ merchantId, db }) =>
      await db
        .select(importColumns)
        .from(customerImports)
        .innerJoin(users, eq(users.id, customerImports.userId))
        .where(and(eq(customerImports.merchantId, merchantId), isUploaded, where))
        .orderBy(...orderBy)
        .limit(limit),
  );
  return toPage(rows, page, ({ importId }) => [importId]);
}

/**
 * Returns an import. Before its start, it includes the first rows and a guess of its columns. Errors:
 * `import_not_found`.
 */
export function getImport(ctx: StaffContext, { importId }: { importId: string }) {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { mapping, ...found } = await findImport(tx, importId);
    const isReady = found.state === 'ready';
    const sample = isReady ? (await firstRows(tx, importId)).map(({ cells }) => cells) : [];
    const used = Object.values(mapping?.columns ?? {});
    return {
      ...found,
      sample,
      guessed: isReady ? guessMapping(found.headings, sample) : null,
      /** The fields that the file has. */
      fields: importField.options.filter((field) => mapping?.columns[field] !== undefined),
      /** The columns that the import did not use. */
      unused: isReady ? [] : found.headings.filter((_, column) => !used.includes(column)),
    };
  });
}

export interface PreviewedRow {
  rowNumber: number;
  values: RowValues;
  problems: ImportProblem[];
}

const contextOf = ({ merchant, clock }: StaffContext, { dateOrder }: ImportMapping): RowContext => ({
  ...{ dateOrder, merchant },
  today: dateIn(merchant.timeZone, clock.now()),
});

/** Adds to rows that would be imported that their customers exist. */
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
  /** Rows that would be imported, of those some with a warning. */
  ready: number;
  warnings: number;
  /** Rows of existing customers, and other rows that would be skipped. */
  existing: number;
  skipped: number;
  /** The opening balances of the rows that would be imported. */
  openings: Value;
  /** Where to go on from; null at the end. */
  next: number | null;
}

/** Rows per database transaction of a count, and the time limit of one call. */
const countBatch = 2_000;
const maxCountMs = 1_000;

/**
 * Adds up what a part of a file comes to. Call it again from `next` until that is null. Duplicates within the file are
 * found only during the import. Errors: `import_not_found`.
 */
export async function sumImport(
  ctx: StaffContext,
  { importId, mapping, after }: ImportTotalsInput,
): Promise<ImportTotals> {
  const context = contextOf(ctx, mapping);
  const stopAt = performance.now() + maxCountMs;
  const totals: ImportTotals = { ready: 0, warnings: 0, existing: 0, skipped: 0, openings: nothing, next: after };
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

/**
 * Starts the import of a file in the worker. Starting it again does nothing. No sign-up vouchers are issued. Errors:
 * `import_not_found`, `invalid_request` for a column that the file does not have.
 */
export function startImport(
  ctx: StaffContext,
  { importId, mapping }: MappedImportInput,
): Promise<{ importId: string }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const row = await findImport(tx, importId, { isLocked: true });
    if (row.state !== 'ready') return { importId };
    const foreign = Object.entries(mapping.columns).find(([, column]) => column >= row.headings.length);
    if (foreign) throw invalid(`mapping.columns.${foreign[0]}`, say('noSuchColumn'));
    const now = ctx.clock.now();
    await Promise.all([
      db
        .update(customerImports)
        .set({
          state: 'running',
          mapping,
          startedAt: now,
          updatedAt: now,
        })
        .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId))),
      queueImport(tx, { merchantId, importId }),
      auditStaff(tx, ctx, 'customers.import', { kind: 'import', id: importId }, { after: { rows: row.rowCount } }),
      announce(tx, 'customerImports'),
    ]);
    return { importId };
  });
}

/**
 * Has the worker take back the opening balances of an import, as far as they are unspent. Doing it again does nothing.
 * Errors: `import_not_found`, also before its end.
 */
export async function undoImport(ctx: StaffContext, { importId }: { importId: string }): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const row = await findImport(tx, importId, { isLocked: true });
    if (row.state !== 'finished') throw new DomainError('import_not_found', say('importNotFound'));
    if (row.undoStartedAt !== null) return;
    const now = ctx.clock.now();
    await Promise.all([
      db
        .update(customerImports)
        .set({ undoUserId: ctx.staff.userId, undoStartedAt: now, updatedAt: now })
        .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId))),
      queueImport(tx, { merchantId, importId }),
      auditStaff(tx, ctx, 'customers.undoImport', { kind: 'import', id: importId }, { after: row.openings?.imported }),
      announce(tx, 'customerImports'),
    ]);
  });
}

const byRow: ListOrder = { columns: [customerImportRows.rowNumber], kinds: ['number'], descending: false };

/** Lists the skipped rows and those with a warning, with their reasons. Errors: `import_not_found`. */
export function listProblems(
  ctx: StaffContext,
  { importId, ...input }: PageRequest & { importId: string },
): Promise<Page<PreviewedRow>> {
  const page = seek(input, byRow);
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
        // Rows have problems only after the import's start, when it has a mapping.
        values: mapping ? valuesOf(row.cells, mapping) : {},
        problems: row.problems ?? [],
      }),
    );
  });
}

/** Finds an import as it is shown, with its columns. Errors: `import_not_found`. */
async function findImport({ merchantId, db }: Tx, importId: string, { isLocked = false } = {}) {
  const query = db
    .select({ ...importColumns, headings: customerImports.headings, mapping: customerImports.mapping })
    .from(customerImports)
    .innerJoin(users, eq(users.id, customerImports.userId))
    .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId), isUploaded));
  const [row] = await (isLocked ? query.for('update', { of: customerImports }) : query);
  if (!row) throw new DomainError('import_not_found', say('importNotFound'));
  return row;
}

function firstRows({ merchantId, db }: Tx, importId: string, { after = 0, take = sampleSize } = {}) {
  const rows = customerImportRows;
  return db
    .select({ rowNumber: rows.rowNumber, cells: rows.cells })
    .from(rows)
    .where(and(eq(rows.merchantId, merchantId), eq(rows.importId, importId), gt(rows.rowNumber, after)))
    .orderBy(rows.rowNumber)
    .limit(take);
}
