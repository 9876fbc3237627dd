import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/** A column's heading, and its cell for a row. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | number | null>;

/**
 * Streams rows as CSV (RFC 4180, UTF-8 with the byte-order mark that Excel needs). Escapes texts that a spreadsheet
 * would run as a formula.
 */
export function toCsv<Row>(columns: CsvColumns<Row>, rows: AsyncIterable<Row>): ReadableStream<Uint8Array> {
  const texts = stringify({ bom: true, header: true, columns: Object.keys(columns), escape_formulas: true });
  const cells = Object.values(columns);
  const lines = Readable.from(rows, { objectMode: true }).map((row: Row) => cells.map((cell) => cell(row)));
  // An error makes the stream fail. If the reader cancels, no further rows are read.
  pipeline(lines, texts, () => {});
  return Readable.toWeb(texts) as ReadableStream<Uint8Array>;
}
