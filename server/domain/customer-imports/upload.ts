import { and, eq, gt, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { insertFrom, recordset } from '@/db/query/expressions';
import { customerImportRows, customerImports } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { readTable, type TableChoice, type TableRow, type TableSource } from '../table-files';
import { mailLonelyUpload } from './second-person';

const maxBytes = 50 * 1024 * 1024;
const maxColumns = 100;
const maxCellLength = 500;
const batchSize = 1_000;

/**
 * Stores an uploaded customer file. It is read as a stream and never held as a whole. Errors: `invalid_request` for a
 * file that is too large, no table, or without rows. Nothing is stored then.
 */
export async function receiveFile(
  ctx: StaffContext,
  { fileName, body, choice = {} }: { fileName: string; body: AsyncIterable<Uint8Array>; choice?: TableChoice },
): Promise<{ importId: string }> {
  const importId = newId();
  const name = fileName.replace(/[\p{Cc}\p{Cs}]/gu, ' ');
  const { country } = ctx.merchant;
  let batch: TableRow[] = [];
  try {
    const source = await readTable({ body, choice, country, maxBytes }, ({ rowNumber, cells }) => {
      batch.push({ rowNumber, cells: cells.slice(0, maxColumns).map(shortened) });
      if (batch.length < batchSize) return;
      const rows = batch;
      batch = [];
      return keep(ctx, importId, name, rows);
    });
    if (batch.length > 0) await keep(ctx, importId, name, batch);
    await finish(ctx, importId, name, source);
  } catch (error) {
    await forget(ctx, importId);
    throw error;
  }
  return { importId };
}

/** Truncates a cell without leaving half of a surrogate pair. */
const shortened = (cell: string) => cell.slice(0, maxCellLength).replace(/\p{Cs}$/u, '');

const isImport = (merchantId: string, importId: string) =>
  and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId));

async function keep(ctx: StaffContext, importId: string, fileName: string, batch: TableRow[]): Promise<void> {
  const now = ctx.clock.now();
  const isFirst = batch[0]?.rowNumber === 1;
  const [headings, rows] = isFirst ? [batch[0]?.cells ?? [], batch.slice(1)] : [[], batch];
  await withMerchant(ctx.db, ctx.merchant.id, async ({ merchantId, db }) => {
    if (isFirst) {
      await db.insert(customerImports).values({
        merchantId,
        id: importId,
        userId: ctx.staff.userId,
        fileName,
        state: 'uploading',
        headings,
        createdAt: now,
        updatedAt: now,
      });
    }
    const { rowNumber, cells } = customerImportRows;
    const { $rows, ...row } = recordset('r', { rowNumber, cells }, rows);
    await db.run(insertFrom(customerImportRows, { merchantId, importId, ...row }, $rows));
    await db
      .update(customerImports)
      .set({ rowCount: sql`${customerImports.rowCount} + ${rows.length}`, updatedAt: now })
      .where(isImport(merchantId, importId));
  });
}

async function finish(ctx: StaffContext, importId: string, fileName: string, source: TableSource): Promise<void> {
  const isDone = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { count } = await tx.db
      .update(customerImports)
      .set({ state: 'ready', source, updatedAt: ctx.clock.now() })
      .where(and(isImport(tx.merchantId, importId), gt(customerImports.rowCount, 0)));
    if (count > 0) await mailLonelyUpload(tx, ctx, importId, fileName);
    return count > 0;
  });
  if (!isDone) throw invalid('file', say('noRows'));
}

async function forget(ctx: StaffContext, importId: string): Promise<void> {
  const rows = customerImportRows;
  await withMerchant(ctx.db, ctx.merchant.id, ({ merchantId, db }) =>
    Promise.all([
      db.delete(rows).where(and(eq(rows.merchantId, merchantId), eq(rows.importId, importId))),
      db.delete(customerImports).where(isImport(merchantId, importId)),
    ]),
  );
}
