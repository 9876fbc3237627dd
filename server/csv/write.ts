import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { toMajorUnits } from '@/server/domain/kernel/money';

/** An amount in minor units. */
interface MoneyCell {
  amountMinor: number;
  currency: string;
  /** How a CSV file writes it, if not as a number. */
  csv: string | null;
}

/** A day, as `YYYY-MM-DD`. */
interface DayCell {
  day: string;
}

/** A value of a list, with its type: `0012` and `3/4` stay texts in a spreadsheet. A `Date` is a time. */
export type Cell = string | number | null | Date | MoneyCell | DayCell;

/** A column's heading, and its cell for a row. */
export type Columns<Row> = Record<string, (row: Row) => Cell>;

/** Streams rows as a file. */
export type TableWriter = <Row>(columns: Columns<Row>, rows: AsyncIterable<Row>) => ReadableStream<Uint8Array>;

export const moneyCell = (
  amountMinor: number,
  currency: string,
  print?: (amountMinor: number, currency: string) => string,
): MoneyCell => ({ amountMinor, currency, csv: print?.(amountMinor, currency) ?? null });

export const dayCell = (day: string | null): DayCell | null => (day === null ? null : { day });

/** The cell in a CSV file: times are in UTC, amounts in the currency's major unit. */
function plain(cell: Cell): string | number | null {
  if (cell === null || typeof cell !== 'object') return cell;
  if (cell instanceof Date) return cell.toISOString();
  return 'day' in cell ? cell.day : (cell.csv ?? toMajorUnits(cell.amountMinor, cell.currency));
}

/**
 * Streams rows as CSV (RFC 4180, UTF-8 with the byte-order mark that Excel needs). Escapes texts that a spreadsheet
 * would run as a formula.
 */
export const toCsv: TableWriter = (columns, rows) => {
  const texts = stringify({ bom: true, header: true, columns: Object.keys(columns), escape_formulas: true });
  const cells = Object.values(columns);
  type Row = Parameters<(typeof cells)[number]>[0];
  const lines = Readable.from(rows, { objectMode: true }).map((row: Row) => cells.map((cell) => plain(cell(row))));
  // An error makes the stream fail. If the reader cancels, no further rows are read.
  pipeline(lines, texts, () => {});
  return Readable.toWeb(texts) as ReadableStream<Uint8Array>;
};
