import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { decodeText } from './decode-text';
import { readCsv } from './read-csv';
import type { TableChoice, TableSource } from './schemas';

const maxColumns = 200;

/** A row of a file. The headings are row 1, as in a spreadsheet. */
export interface TableRow {
  rowNumber: number;
  cells: string[];
}

/** A file, and what is known about it. */
interface Upload {
  body: AsyncIterable<Uint8Array>;
  choice: TableChoice;
  /** The merchant's: of encodings that are equally likely, its own comes first. */
  country: string;
  maxBytes: number;
}

/**
 * Reads a file row by row, without holding it as a whole. Rows without a filled cell are left out. Returns what the file
 * turned out to be. Errors: `invalid_request` for a file that is too large, or that can't be read as a table.
 */
export async function readTable(
  { body, choice, country, maxBytes }: Upload,
  onRow: (row: TableRow) => Promise<void> | void,
): Promise<TableSource> {
  let source: TableSource = { encoding: 'utf-8', isCertain: true };
  let rowNumber = 0;
  const texts = decodeText(limited(body, maxBytes), { country, chosen: choice.encoding }, (found) => {
    source = found;
  });
  await readCsv(texts, (record) => {
    rowNumber += 1;
    const cells = record.slice(0, maxColumns);
    if (rowNumber === 1 || cells.some(Boolean)) return onRow({ rowNumber, cells });
  });
  return source;
}

async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw invalid('file', say('fileTooLarge', { size: maxBytes / 1024 / 1024 }));
    yield chunk;
  }
}
