import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { toCsv } from './write';

async function* rowsOf<Row>(rows: Row[]): AsyncGenerator<Row> {
  yield* rows;
}
const textOf = (stream: ReadableStream<Uint8Array>) =>
  new Response(stream).arrayBuffer().then((b) => Buffer.from(b).toString('utf8'));

const columns = { Name: (row: { name: string }) => row.name, Length: (row: { name: string }) => row.name.length };

test('keeps every text as it was given', async () => {
  const names = ['Ada', 'a,b', 'say "hi"', 'two\nlines', '陳大文', 'ａ;b', ''];
  const text = await textOf(toCsv(columns, rowsOf(names.map((name) => ({ name })))));
  expect(text.startsWith('\uFEFFName,Length\n')).toBe(true);
  const read = parse(text, { bom: true, columns: true }) as { Name: string; Length: string }[];
  expect(read.map(({ Name }) => Name)).toEqual(names);
  expect(read.map(({ Length }) => Number(Length))).toEqual(names.map((name) => name.length));
});

test.each(['=1+1', '+6591234567', '-1', '@SUM(A1)', '\tx', '\r=1', '＝1'])('a spreadsheet runs no %j', async (name) => {
  const text = await textOf(toCsv(columns, rowsOf([{ name }])));
  const [row] = parse(text, { bom: true, columns: true }) as { Name: string }[];
  expect(row?.Name).toBe(`'${name}`);
});

test('without rows it has only the headings', async () => {
  expect(await textOf(toCsv(columns, rowsOf<{ name: string }>([])))).toBe('\uFEFFName,Length\n');
});

test('reads rows on demand, and stops when the reader cancels', async () => {
  let read = 0;
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) {
        read += 1;
        yield { name: `row ${read}` };
      }
    } finally {
      isClosed = true;
    }
  }
  const reader = toCsv(columns, endless()).getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(() => isClosed).toBe(true);
  expect(read).toBeLessThan(5000);
});

test('an error in between makes the stream fail, instead of ending it early', async () => {
  async function* broken() {
    yield { name: 'Ada' };
    throw new Error('away');
  }
  await expect(textOf(toCsv(columns, broken()))).rejects.toThrow();
});

test('every list writes with the writer that it is given', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !/test|write/.test(file));
  expect(files.length).toBeGreaterThan(15);
  const others = files.filter((file) => /toCsv[<(]/.test(readFileSync(join(import.meta.dirname, file), 'utf8')));
  expect(others).toEqual([]);
});
