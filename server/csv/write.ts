import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/** A column's heading, and what stands in it for a row. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | number | null>;

/**
 * Rows as CSV (RFC 4180, UTF-8 with a byte-order mark, which Excel asks for), streamed as they are read. A text that a
 * spreadsheet would run as a formula is escaped.
 */
export function toCsv<Row>(columns: CsvColumns<Row>, rows: AsyncIterable<Row>): ReadableStream<Uint8Array> {
  const texts = stringify({ bom: true, header: true, columns: Object.keys(columns), escape_formulas: true });
  const cells = Object.values(columns);
  const lines = Readable.from(rows, { objectMode: true }).map((row: Row) => cells.map((cell) => cell(row)));
  // An error ends the file as an error; a reader who leaves ends the reading.
  pipeline(lines, texts, () => {});
  return Readable.toWeb(texts) as ReadableStream<Uint8Array>;
}
