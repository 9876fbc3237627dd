import { and, eq, gt, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { customerImportRows } from '@/db/schema';
import { ColumnNotation } from '../kernel/amount-cells';
import type { Merchant } from '../kernel/context';
import { amountKindOf } from './rows';
import { type AmountField, amountField, type DecimalMarks, type ImportMapping } from './schemas';

export interface FileMarks {
  decimalMarks: DecimalMarks;
  /** Columns in which a cell such as `1.250` has two meanings: the merchant has to choose one. */
  unclear: AmountField[];
}

const batchSize = 10_000;

/** Returns how each column of amounts writes decimals: as the merchant chose, or as all rows of the file show. */
export async function findDecimalMarks(
  tx: Tx,
  importId: string,
  { columns, decimalMarks: chosen = {} }: ImportMapping,
  { country, currency }: Pick<Merchant, 'country' | 'currency'>,
): Promise<FileMarks> {
  const decimalMarks: DecimalMarks = {};
  const unclear: AmountField[] = [];
  for (const field of amountField.options) {
    const column = columns[field];
    if (column === undefined) continue;
    const notation = new ColumnNotation(amountKindOf(field, currency));
    await eachSeparated(tx, importId, column, (cell) => notation.add(cell));
    const mark = notation.decimalMark(country);
    if (mark === null) unclear.push(field);
    const decided = mark ?? chosen[field];
    if (decided !== undefined) decimalMarks[field] = decided;
  }
  return { decimalMarks, unclear };
}

/** Visits the cells of a column that have a point or a comma: others say nothing about the notation. */
async function eachSeparated(tx: Tx, importId: string, column: number, visit: (cell: string) => void): Promise<void> {
  const { merchantId, importId: file, rowNumber, cells } = customerImportRows;
  const cell = sql<string>`${cells}[${column + 1}::int]`;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const rows = await tx.db
      .select({ rowNumber, cell })
      .from(customerImportRows)
      .where(and(eq(merchantId, tx.merchantId), eq(file, importId), gt(rowNumber, from), sql`${cell} ~ '[.,]'`))
      .orderBy(rowNumber)
      .limit(batchSize);
    for (const row of rows) visit(row.cell);
    after = rows.length < batchSize ? null : (rows.at(-1)?.rowNumber ?? null);
  }
}
