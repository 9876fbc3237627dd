import { and, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { customerImportRows, customerImports, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { dateIn } from '../kernel/calendar';
import { announce } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { type ListOrder, type Page, type PageRequest, seek, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import { guessMapping, type RowValues, readRow, valuesOf } from './rows';
import { queueImport } from './run';
import type { ImportProblem, MappedImportInput } from './schemas';

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
  createdAt: Date;
  finishedAt: Date | null;
}

const sampleSize = 20;
const newestFirst: ListOrder = { columns: [customerImports.id], descending: true };

const { enrolledCount, problemCount } = customerImports;
const importColumns = {
  importId: customerImports.id,
  fileName: customerImports.fileName,
  state: sql<CustomerImport['state']>`${customerImports.state}`,
  by: users.name,
  rowCount: customerImports.rowCount,
  doneCount: sql<number>`${enrolledCount} + ${problemCount}`,
  enrolledCount,
  problemCount,
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
    const { mapping: _, ...found } = await findImport(tx, importId);
    const isReady = found.state === 'ready';
    const sample = isReady ? (await firstRows(tx, importId)).map(({ cells }) => cells) : [];
    return { ...found, sample, guessed: isReady ? guessMapping(found.headings, sample) : null };
  });
}

export interface PreviewedRow {
  rowNumber: number;
  values: RowValues;
  problems: ImportProblem[];
}

/** Previews the result of the first rows. Existing customers are found only during the import. */
export function previewImport(ctx: StaffContext, { importId, mapping }: MappedImportInput): Promise<PreviewedRow[]> {
  const { country, timeZone } = ctx.merchant;
  const rowContext = { dateOrder: mapping.dateOrder, country, today: dateIn(timeZone, ctx.clock.now()) };
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await findImport(tx, importId);
    return (await firstRows(tx, importId)).map(({ rowNumber, cells }) => {
      const values = valuesOf(cells, mapping);
      return { rowNumber, values, problems: readRow(values, rowContext).problems };
    });
  });
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

const byRow: ListOrder = { columns: [customerImportRows.rowNumber], kinds: ['number'], descending: false };

/** Lists the skipped rows with their reasons. Errors: `import_not_found`. */
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

function firstRows({ merchantId, db }: Tx, importId: string) {
  const rows = customerImportRows;
  return db
    .select({ rowNumber: rows.rowNumber, cells: rows.cells })
    .from(rows)
    .where(and(eq(rows.merchantId, merchantId), eq(rows.importId, importId)))
    .orderBy(rows.rowNumber)
    .limit(sampleSize);
}
