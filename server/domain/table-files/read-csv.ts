import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { delimiterOf } from '../kernel/csv';
import { invalid } from '../kernel/errors';
import { say } from '../kernel/say';

/** Max characters of a row. */
const maxRowLength = 50_000;

/** Reads a text's records one by one. Errors: `invalid_request` for a text that is no CSV. */
export async function readCsv(
  texts: AsyncGenerator<string>,
  onRecord: (cells: string[]) => Promise<void> | void,
): Promise<void> {
  const { head, rest } = await readFirstLine(texts);
  const parser = parse({
    delimiter: delimiterOf(head),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowLength,
    trim: true,
  });
  try {
    await pipeline(rest, parser, async (records: AsyncIterable<string[]>) => {
      for await (const record of records) await onRecord(record);
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as unknown as { lines?: number };
    throw invalid('file', say('csvBrokenAtLine', { line: lines ?? 1 }));
  }
}

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
