import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customerImportRows, customerImports, type ImportOpenings, users } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { type ListOrder, type Page, type PageRequest, seekPage, seekSql, toPage } from '../kernel/page';
import { say } from '../kernel/say';
import { guessMapping } from './guess-mapping';
import { knownFiles } from './known-files';
import { queueImport } from './run';
import { importField } from './schemas';

export interface CustomerImport {
  importId: string;
  fileName: string;
  state: 'ready' | 'running' | 'finished';
  by: string;
  rowCount: number;
  /** Rows processed. */
  doneCount: number;
  enrolledCount: number;
  /** Existing customers who got an opening balance. */
  addedCount: number;
  problemCount: number;
  /** Rows that were imported without an unreadable field. */
  warningCount: number;
  /** The opening balances, and the result of taking them back. */
  openings: ImportOpenings | null;
  undoStartedAt: Date | null;
  undoneAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

const sampleSize = 20;
const newestFirst: ListOrder = { columns: [customerImports.id], descending: true };

const { enrolledCount, addedCount, problemCount, warningCount, openings, undoStartedAt, undoneAt } = customerImports;
const importColumns = {
  importId: customerImports.id,
  fileName: customerImports.fileName,
  state: sql<CustomerImport['state']>`${customerImports.state}`,
  by: users.name,
  rowCount: customerImports.rowCount,
  doneCount: sql<number>`${enrolledCount} + ${addedCount} + ${problemCount}`,
  enrolledCount,
  addedCount,
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
  const page = seekPage(input, newestFirst);
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
 * Returns an import. Before it starts, this includes the first rows and a guess of the columns. Errors:
 * `import_not_found`.
 */
export function getImport(ctx: StaffContext, { importId }: { importId: string }) {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { mapping, ...found } = await findImport(tx, importId);
    const isReady = found.state === 'ready';
    const sample = isReady ? (await firstRows(tx, importId)).map(({ cells }) => cells) : [];
    const used = Object.values(mapping?.columns ?? {});
    const guess = isReady ? guessMapping(found.headings, sample, ctx.merchant) : null;
    return {
      ...found,
      sample,
      guessed: guess?.mapping ?? null,
      /** The name of the system that wrote the file; null if unknown. */
      knownAs: guess?.known ? knownFiles[guess.known].name : null,
      /** The columns that may hold money or points, but do not say so. */
      doubtful: guess?.doubtful ?? [],
      /** The fields that the file provides. */
      fields: importField.options.filter((field) => mapping?.columns[field] !== undefined),
      /** The columns that the import did not use. */
      unused: isReady ? [] : found.headings.filter((_, column) => !used.includes(column)),
    };
  });
}

/**
 * Lets the worker take back the unspent opening balances of an import. Repeating it does nothing. Errors:
 * `import_not_found`, also if the import has not ended.
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
      announceChange(tx, 'customerImports'),
    ]);
  });
}

/** Finds an import with its columns. Errors: `import_not_found`. */
export async function findImport({ merchantId, db }: Tx, importId: string, { isLocked = false } = {}) {
  const { headings, mapping, source } = customerImports;
  const query = db
    .select({ ...importColumns, headings, mapping, source })
    .from(customerImports)
    .innerJoin(users, eq(users.id, customerImports.userId))
    .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId), isUploaded));
  const [row] = await (isLocked ? query.for('update', { of: customerImports }) : query);
  if (!row) throw new DomainError('import_not_found', say('importNotFound'));
  return row;
}

/** The rows of a file after row `after`. By default, the first ones, as many as a sample has. */
export function firstRows({ merchantId, db }: Tx, importId: string, { after = 0, take = sampleSize } = {}) {
  const rows = customerImportRows;
  return db
    .select({ rowNumber: rows.rowNumber, cells: rows.cells })
    .from(rows)
    .where(and(eq(rows.merchantId, merchantId), eq(rows.importId, importId), gt(rows.rowNumber, after)))
    .orderBy(rows.rowNumber)
    .limit(take);
}
