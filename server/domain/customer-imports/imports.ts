import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { dateIn } from '../core/calendar';
import { announce } from '../core/changes';
import { DomainError, invalid } from '../core/errors';
import { type ListOrder, type Page, type PageRequest, seek, seekSql, toPage } from '../core/page';
import type { StaffContext } from '../staff/context';
import { guessMapping, type RowValues, readRow, valuesOf } from './rows';
import { queueImport } from './run';
import type { ImportMapping, ImportProblem, MappedImportInput } from './schemas';

export interface CustomerImport {
  importId: string;
  fileName: string;
  state: 'ready' | 'running' | 'finished';
  by: string;
  rowCount: number;
  /** How many rows were tried. */
  doneCount: number;
  enrolledCount: number;
  problemCount: number;
  createdAt: Date;
  finishedAt: Date | null;
}

const sampleSize = 20;
const newestFirst: ListOrder = { columns: ['i.id'], descending: true };

/** The files that were uploaded, newest first. */
export async function listImports(ctx: StaffContext, input: PageRequest): Promise<Page<CustomerImport>> {
  const page = seek(input, newestFirst);
  const rows = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { where, orderBy, limit } = seekSql(tx, page, newestFirst);
    return await tx.sql`
      select i.*, u.name as staff_name from customer_imports i join users u on u.id = i.user_id
      where i.merchant_id = ${tx.merchantId} and i.state <> 'uploading' and ${where} order by ${orderBy} ${limit}`;
  });
  return toPage(rows, page, ({ id }) => [id], toImport);
}

/** One of them; before it is started, with its first rows and what its columns seem to be. Errors: `import_not_found`. */
export function getImport(ctx: StaffContext, { importId }: { importId: string }) {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const row = await findImport(tx, importId);
    const isReady = row.state === 'ready';
    const sample = isReady ? await firstRows(tx, importId) : [];
    const cells = sample.map((one) => one.cells as string[]);
    const headings: string[] = row.headings;
    return { ...toImport(row), headings, sample: cells, guessed: isReady ? guessMapping(headings, cells) : null };
  });
}

export interface PreviewedRow {
  rowNumber: number;
  values: RowValues;
  problems: ImportProblem[];
}

/** What would come of the first rows, as far as can be told before: who is a customer already shows later. */
export function previewImport(ctx: StaffContext, { importId, mapping }: MappedImportInput): Promise<PreviewedRow[]> {
  const { country, timeZone } = ctx.merchant;
  const surroundings = { dateOrder: mapping.dateOrder, country, today: dateIn(timeZone, ctx.clock.now()) };
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    await findImport(tx, importId);
    return (await firstRows(tx, importId)).map(({ row_number: rowNumber, cells }) => {
      const values = valuesOf(cells, mapping);
      return { rowNumber, values, problems: readRow(values, surroundings).problems };
    });
  });
}

/**
 * Has the worker enrol everybody in the file; started again, nothing happens. Nobody is issued a voucher for joining.
 * Errors: `import_not_found`, `invalid_request` for a column that the file does not have.
 */
export function startImport(
  ctx: StaffContext,
  { importId, mapping }: MappedImportInput,
): Promise<{ importId: string }> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const row = await findImport(tx, importId, { isLocked: true });
    if (row.state !== 'ready') return { importId };
    const foreign = Object.entries(mapping.columns).find(([, column]) => column >= row.headings.length);
    if (foreign) throw invalid(`mapping.columns.${foreign[0]}`, 'is no column of the file');
    const now = ctx.clock.now();
    await Promise.all([
      sql`
        update customer_imports
        set state = 'running', mapping = ${sql.json(mapping)}, started_at = ${now}, updated_at = ${now}
        where merchant_id = ${merchantId} and id = ${importId}`,
      queueImport(tx, { merchantId, importId }),
      auditStaff(tx, ctx, 'customers.import', { kind: 'import', id: importId }, { after: { rows: row.row_count } }),
      announce(tx, 'customerImports'),
    ]);
    return { importId };
  });
}

const byRow: ListOrder = { columns: ['r.row_number'], kinds: ['number'], descending: false };

/** The rows that were not enrolled, and why. Errors: `import_not_found`. */
export function listProblems(
  ctx: StaffContext,
  { importId, ...input }: PageRequest & { importId: string },
): Promise<Page<PreviewedRow>> {
  const page = seek(input, byRow);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { mapping } = await findImport(tx, importId);
    const { where, orderBy, limit } = seekSql(tx, page, byRow);
    const rows = await tx.sql`
      select r.row_number, r.cells, r.problems from customer_import_rows r
      where r.merchant_id = ${tx.merchantId} and r.import_id = ${importId} and r.problems is not null and ${where}
      order by ${orderBy} ${limit}`;
    const toRow = ({ row_number: rowNumber, cells, problems }: Row): PreviewedRow => ({
      rowNumber,
      values: valuesOf(cells, mapping as ImportMapping),
      problems,
    });
    return toPage(rows, page, ({ row_number }) => [String(row_number)], toRow);
  });
}

async function findImport({ merchantId, sql }: Tx, importId: string, { isLocked = false } = {}): Promise<Row> {
  const [row] = await sql`
    select i.*, u.name as staff_name from customer_imports i join users u on u.id = i.user_id
    where i.merchant_id = ${merchantId} and i.id = ${importId} and i.state <> 'uploading'
    ${isLocked ? sql`for update of i` : sql``}`;
  if (!row) throw new DomainError('import_not_found', 'There is no such import.');
  return row;
}

const firstRows = ({ merchantId, sql }: Tx, importId: string) => sql`
  select row_number, cells from customer_import_rows where merchant_id = ${merchantId} and import_id = ${importId}
  order by row_number limit ${sql.unsafe(String(sampleSize))}`;

const toImport = (row: Row): CustomerImport => ({
  importId: row.id,
  fileName: row.file_name,
  state: row.state,
  by: row.staff_name,
  rowCount: row.row_count,
  doneCount: row.enrolled_count + row.problem_count,
  enrolledCount: row.enrolled_count,
  problemCount: row.problem_count,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});
