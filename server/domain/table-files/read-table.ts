import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { Bytes } from './bytes';
import { decodeText } from './decode-text';
import { readCsv } from './read-csv';
import { readWorkbook } from './read-workbook';
import { maxColumns, type OnRow } from './rows';
import type { Encoding, TableChoice, TableSource } from './schemas';

/** A file, and what is known about it. */
interface Upload {
  body: AsyncIterable<Uint8Array>;
  choice: TableChoice;
  /** The merchant's: of encodings that are equally likely, its own comes first. */
  country: string;
  maxBytes: number;
}

/**
 * Reads a file row by row. A text is never held as a whole. The headings are the first row of a text, and in a workbook
 * the first with two filled cells. Rows without a filled cell are left out. Returns what the file turned out to be.
 * Errors: `invalid_request` for a file that is too large, or that can't be read as a table.
 */
export async function readTable({ body, choice, country, maxBytes }: Upload, onRow: OnRow): Promise<TableSource> {
  const bytes = new Bytes(limited(body, maxBytes));
  const head = await bytes.take(8);
  bytes.putBack(head);
  const startsWith = (...mark: number[]) => mark.every((byte, at) => head[at] === byte);
  if (startsWith(0x50, 0x4b, 0x03, 0x04)) return readWorkbook(bytes, choice, onRow);
  if (startsWith(0xd0, 0xcf, 0x11, 0xe0)) throw invalid('file', say('oldWorkbook'));
  return readText(bytes, { country, chosen: choice.encoding }, onRow);
}

async function readText(
  bytes: Bytes,
  { country, chosen }: { country: string; chosen: Encoding | undefined },
  onRow: OnRow,
): Promise<TableSource> {
  let source: TableSource = { kind: 'text', encoding: 'utf-8', isCertain: true };
  let rowNumber = 0;
  const texts = decodeText(bytes, { country, chosen }, (found) => {
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
