import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepZone } from '@/server/domain/kernel/zones';
import { readTable, type TableRow } from '@/server/domain/table-files';
import { type Cell, dayCell, moneyCell, type TableWriter } from './write';
import { workbookWriter } from './xlsx';

const timeZone = 'Asia/Singapore';
keepZone(timeZone, [{ from: 0, aheadMs: 8 * 3_600_000 }]);
const writerIn = (currency: string) => workbookWriter('customers', { timeZone, currency });

async function* rowsOf<Row>(rows: Row[]): AsyncGenerator<Row> {
  yield* rows;
}
const bytesOf = (stream: ReadableStream<Uint8Array>) => buffer(stream as never);

async function read(bytes: Buffer, choice = {}) {
  const rows: TableRow[] = [];
  const body = (async function* () {
    yield bytes;
  })();
  const source = await readTable({ body, choice, country: 'SG', maxBytes: 50_000_000 }, (row) => {
    rows.push(row);
  });
  return { source, rows };
}

const write = (cells: Cell[][], writer: TableWriter = writerIn('SGD')) =>
  bytesOf(
    writer(
      Object.fromEntries((cells[0] ?? []).map((_, at) => [`c${at}`, (row: Cell[]) => row[at] ?? null])),
      rowsOf(cells),
    ),
  );

test('what is exported is imported as it was: codes and phones as texts, amounts as numbers, days and local times', async () => {
  const bytes = await write([
    ['0012345', '+6591234567', '3/4', '12E45678', '=1+1', 'two\nlines & <b>', '_x000D_', ' x '],
    [moneyCell(1_250, 'SGD'), moneyCell(-5, 'SGD'), 7, 0.5, dayCell('1985-06-15'), dayCell('1899-12-31'), null, ''],
    [new Date('2026-06-01T16:30:05.999Z'), new Date('2026-06-01T15:59:59Z'), 'x', null, null, null, null, null],
  ]);
  const { source, rows } = await read(bytes);
  expect(source).toEqual({ kind: 'workbook', sheets: ['customers'], sheet: 0 });
  const filled = rows.slice(1).map(({ cells }) => cells.slice(0, cells.findLastIndex(Boolean) + 1));
  expect(filled).toEqual([
    ['0012345', '+6591234567', '3/4', '12E45678', '=1+1', 'two\nlines & <b>', '_x000D_', 'x'],
    ['=12.5', '=-0.05', '7', '=0.5', '1985-06-15', '1899-12-31'],
    ['2026-06-02 00:30:05', '2026-06-01 23:59:59', 'x'],
  ]);
});

test('any text comes back, and any amount', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.constantFrom('SGD', 'JPY', 'KWD'),
      async (texts, amount, currency) => {
        const bytes = await write(
          texts.map((text) => [text, moneyCell(amount, currency)]),
          writerIn(currency),
        );
        const { rows } = await read(bytes);
        expect(rows.slice(1).map(({ cells }) => cells[0])).toEqual(texts.map((text) => text.trim()));
        const digits = { SGD: 100, JPY: 1, KWD: 1_000 }[currency] ?? 1;
        for (const { cells } of rows.slice(1)) {
          expect(Math.round(Number(cells[1]?.replace('=', '')) * digits)).toBe(amount);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('without rows it has only its headings', async () => {
  const bytes = await bytesOf(
    writerIn('SGD')({ plu: (row: string) => row, name: (row: string) => row }, rowsOf<string>([])),
  );
  expect((await read(bytes)).rows).toEqual([{ rowNumber: 1, cells: ['plu', 'name'] }]);
});

test('a list is written as it is read, stops when the reader cancels, and fails as a whole', async () => {
  let count = 0;
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) {
        count += 1;
        yield `row ${count} ${Math.random()}`;
      }
    } finally {
      isClosed = true;
    }
  }
  const reader = writerIn('SGD')({ name: (row: string) => row }, endless()).getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(() => isClosed).toBe(true);
  expect(count).toBeLessThan(200_000);
  async function* broken() {
    yield 'Ada';
    throw new Error('away');
  }
  await expect(bytesOf(writerIn('SGD')({ name: (row: string) => row }, broken()))).rejects.toThrow('away');
});

test('a longer list than a sheet can have goes on in another, in little memory', { timeout: 240_000 }, async () => {
  const rows = 1_048_580;
  async function* many() {
    for (let n = 1; n <= rows; n += 1) yield n;
  }
  const before = process.memoryUsage().rss;
  let most = 0;
  // Node warns of an emitter with ever more listeners.
  const warnings: string[] = [];
  const keep = ({ name }: Error) => warnings.push(name);
  process.on('warning', keep);
  const chunks: Uint8Array[] = [];
  const stream = writerIn('SGD')({ row: (n: number) => n, code: () => '007' }, many());
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    most = Math.max(most, process.memoryUsage().rss - before);
  }
  process.off('warning', keep);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
  expect(most).toBeLessThan(200 * 1024 * 1024);
  const bytes = Buffer.concat(chunks);
  const { source, rows: last } = await read(bytes, { sheet: 1 });
  expect([source, last.at(-1)]).toEqual([
    { kind: 'workbook', sheets: ['customers', 'customers 2'], sheet: 1 },
    { rowNumber: 6, cells: [String(rows), '007'] },
  ]);
});
