import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { and, eq, gt, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { insertFrom, recordset } from '@/db/query/expressions';
import { customerImportRows, customerImports } from '@/db/schema';
import type { StaffContext } from '../kernel/context';
import { delimiterOf } from '../kernel/csv';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { mailLonelyUpload } from './second-person';

const maxBytes = 50 * 1024 * 1024;
const maxColumns = 100;
const maxCellLength = 500;
/** Max characters of a row. */
const maxRowLength = 50_000;
const batchSize = 1_000;

interface Row {
  rowNumber: number;
  cells: string[];
}

/**
 * Stores an uploaded customer file. It is read as a stream and never held as a whole. Errors: `invalid_request` for a
 * file that is too large, not a UTF-8 CSV, or without rows. Nothing is stored then.
 */
export async function receiveFile(
  ctx: StaffContext,
  { fileName, body }: { fileName: string; body: AsyncIterable<Uint8Array> },
): Promise<{ importId: string }> {
  const importId = newId();
  const name = fileName.replace(/[\p{Cc}\p{Cs}]/gu, ' ');
  try {
    await readRecords(body, (records) => keep(ctx, importId, name, records));
    await finish(ctx, importId, name);
  } catch (error) {
    await forget(ctx, importId);
    if (error instanceof CsvError) throw notACsv(error);
    throw error;
  }
  return { importId };
}

function notACsv(error: CsvError): Error {
  const { lines } = error as unknown as { lines?: number };
  return invalid('file', say('csvBrokenAtLine', { line: lines ?? 1 }));
}

/** Reads the file's records in batches, headings first. */
async function readRecords(body: AsyncIterable<Uint8Array>, onBatch: (rows: Row[]) => Promise<void>): Promise<void> {
  const { head, rest } = await readFirstLine(decode(body));
  const delimiter = delimiterOf(head);
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowLength,
    trim: true,
  });
  let batch: Row[] = [];
  let rowNumber = 0;
  await pipeline(rest, parser, async (records: AsyncIterable<string[]>) => {
    for await (const record of records) {
      rowNumber += 1;
      const cells = record.slice(0, maxColumns).map(shortened);
      // Spreadsheets count an empty line as a row, but it holds no customer.
      if (rowNumber > 1 && !cells.some(Boolean)) continue;
      if (batch.push({ rowNumber, cells }) < batchSize) continue;
      await onBatch(batch);
      batch = [];
    }
    if (batch.length > 0) await onBatch(batch);
  });
}

/** Truncates a cell without leaving half of a surrogate pair. */
const shortened = (cell: string) => cell.slice(0, maxCellLength).replace(/\p{Cs}$/u, '');

/** Returns the first line or more as `head`, and the whole text, including it, as `rest`. */
async function readFirstLine(texts: AsyncGenerator<string>): Promise<{ head: string; rest: AsyncGenerator<string> }> {
  let head = '';
  for (;;) {
    const { value, done } = await texts.next();
    head += value ?? '';
    if (done || head.includes('\n') || head.length > maxRowLength) break;
  }
  async function* all() {
    yield head;
    yield* texts;
  }
  return { head, rest: all() };
}

/** Errors: `invalid_request` for too many bytes or invalid UTF-8. */
async function* decode(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  const read = (chunk?: Uint8Array) => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      if (!text.includes('\0')) return text;
    } catch {}
    throw invalid('file', say('notUtf8'));
  };
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw invalid('file', say('fileTooLarge', { size: maxBytes / 1024 / 1024 }));
    yield read(chunk);
  }
  yield read();
}

const isImport = (merchantId: string, importId: string) =>
  and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId));

async function keep(ctx: StaffContext, importId: string, fileName: string, batch: Row[]): Promise<void> {
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

async function finish(ctx: StaffContext, importId: string, fileName: string): Promise<void> {
  const isDone = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { count } = await tx.db
      .update(customerImports)
      .set({ state: 'ready', updatedAt: ctx.clock.now() })
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
