/** Exports survive LibreOffice: opened there, saved as a workbook and as CSV, and imported again, nothing has changed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { exports } from '@/server/csv/exports';
import { workbookWriter } from '@/server/csv/xlsx';
import { receiveFile } from '@/server/domain/customer-imports';
import { continueImport } from '@/server/domain/customer-imports/run';
import type { StaffContext } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { readTable, type TableRow } from '@/server/domain/table-files';
import { createMenuScene } from '@/server/testing/menu';
import { createHistory } from '@/server/testing/merchant-history';

const database = sharedDatabase();
const folder = mkdtempSync(join(tmpdir(), 'spreadsheets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What *Save as* of a person writes: cells as they are shown, in UTF-8. */
const filters = { xlsx: 'xlsx', csv: 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true' } as const;
type Format = keyof typeof filters;

/** Opens workbooks in LibreOffice, and saves them in another format. Returns the files by name. */
async function saveAs(format: Format, workbooks: Record<string, Buffer>): Promise<Map<string, Buffer>> {
  const [from, to] = [mkdtempSync(join(folder, 'from-')), mkdtempSync(join(folder, 'to-'))];
  const names = Object.keys(workbooks);
  for (const name of names) writeFileSync(join(from, `${name}.xlsx`), workbooks[name] as Buffer);
  const paths = names.map((name) => join(from, `${name}.xlsx`));
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  await promisify(execFile)('soffice', [
    profile,
    '--headless',
    '--convert-to',
    filters[format],
    '--outdir',
    to,
    ...paths,
  ]);
  return new Map(names.map((name) => [name, readFileSync(join(to, `${name}.${format}`))]));
}

/** Exports a list for Excel, as the screen does. */
const exportOf = async (staff: StaffContext, list: string, query = {}): Promise<Buffer> =>
  buffer(exports[list]?.open(staff, query, workbookWriter(list, staff.merchant)) as never);

async function* bodyOf(bytes: Buffer) {
  yield bytes;
}

/** Reads a table as every import does. */
async function read(bytes: Buffer): Promise<string[][]> {
  const rows: TableRow[] = [];
  await readTable({ body: bodyOf(bytes), choice: {}, country: 'SG', maxBytes: 50_000_000 }, (row) => {
    rows.push(row);
  });
  return rows.map(({ cells }) => cells.slice(0, cells.findLastIndex(Boolean) + 1));
}

const codes = [
  '0012345',
  '007',
  '7',
  '3/4',
  '12E45678',
  '1E5',
  '1-2',
  '=1+1',
  '+65',
  'N001',
  '１２',
  '4111111111111111',
];
const texts = [
  'Kopi, “O”',
  'two\nlines',
  "O'Neil",
  '-5',
  '@home',
  '<b> & co',
  '2026-06-01',
  '1,250.50',
  'TRUE',
  '積分',
];

test.each(['xlsx', 'csv'] as const)('a menu that LibreOffice saved as %s changes nothing', async (format) => {
  const { staff, call, addCategory, addItem } = await createMenuScene(database, 'owner');
  const category = await addCategory('1/2');
  for (const [at, plu] of codes.entries()) {
    const name = texts[at % texts.length] ?? '';
    await addItem(category, plu, { name, price: at * 125 + 5, description: texts[(at + 3) % texts.length] });
  }
  const before = await exportOf(staff, 'menu');
  const saved = (await saveAs(format, { menu: before })).get('menu') as Buffer;
  const outcome = await call.menu.importItems({ file: saved.toString('base64'), dryRun: false });
  expect(outcome).toMatchObject({ created: 0, issues: [] });
  expect(await read(await exportOf(staff, 'menu'))).toEqual(await read(before));
});

test.each(['xlsx', 'csv'] as const)(
  'customers that LibreOffice saved as %s come in elsewhere as they are',
  async (format) => {
    const [here, there] = await Promise.all([1, 2].map(() => createMenuScene(database, 'owner')));
    if (!here || !there) throw new Error('two merchants are needed');
    const birthdays = ['1985-06-15', '--02-29', '1900-01-01', '2000-02-29', null];
    for (const [at, text] of texts.entries()) {
      const birthday = birthdays[at % birthdays.length] ?? null;
      const [phone, email] = [`+65812300${10 + at}`, `${newId()}@example.com`];
      await here.call.customers.enrol({
        givenName: text.replace('\n', ' '),
        lastName: codes[at] ?? '',
        phone,
        email,
        birthday,
        tags: ['3/4', '007'],
      });
    }
    const before = await exportOf(here.staff, 'customers');
    const saved = (await saveAs(format, { customers: before })).get('customers') as Buffer;
    const { importId } = await receiveFile(there.staff, { fileName: `customers.${format}`, body: bodyOf(saved) });
    const { guessed } = await there.call.customerImports.get({ importId });
    if (!guessed) throw new Error('the columns were not guessed');
    await there.call.customerImports.start({ importId, mapping: guessed });
    await continueImport(there.staff, { merchantId: there.merchant.id, importId });
    expect((await there.call.customerImports.problems({ importId })).items).toEqual([]);
    const profiles = async (staff: StaffContext) =>
      (await read(await exportOf(staff, 'customers'))).map((cells) => cells.slice(1, 7)).toSorted();
    expect(await profiles(there.staff)).toEqual(await profiles(here.staff));
  },
);

describe('every list with rows', () => {
  const now = Date.now();
  const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString().slice(0, 10);
  const query = { from: day(20), to: day(-1), until: day(-1), day: day(-1), language: 'en', by: 'item' };

  /** A formatted number of the CSV, such as `$1,250.50`, and one of a workbook, such as `=1250.5`. */
  const numberOf = (cell: string) => Number(cell.replace(/[^\d.-]/g, ''));
  const isNumber = (cell: string) => /^=?-?\d+(\.\d+)?$/.test(cell);

  test('is the same after LibreOffice saved it', { timeout: 600_000 }, async () => {
    const { staff } = await createHistory(database, { seed: 7 });
    const workbooks: Record<string, Buffer> = {};
    for (const list of Object.keys(exports)) {
      const bytes = await exportOf(staff, list, query).catch(() => null);
      if (bytes !== null && (await read(bytes)).length > 1) workbooks[list] = bytes;
    }
    const [sheets, texts] = [await saveAs('xlsx', workbooks), await saveAs('csv', workbooks)];
    let cells = 0;
    for (const [list, bytes] of Object.entries(workbooks)) {
      const before = await read(bytes);
      expect(await read(sheets.get(list) as Buffer), `${list}.xlsx`).toEqual(before);
      const after = await read(texts.get(list) as Buffer);
      expect(after.length, `${list}.csv`).toBe(before.length);
      for (const [row, found] of before.entries()) {
        for (const [column, cell] of found.entries()) {
          cells += 1;
          const written = after[row]?.[column] ?? '';
          if (cell !== written && isNumber(cell)) expect(numberOf(written), `${list} ${cell}`).toBe(numberOf(cell));
          else expect(written, `${list}, row ${row + 1}`).toBe(cell);
        }
      }
    }
    process.stdout.write(
      `${Object.keys(workbooks).length} lists, ${cells} cells: ${Object.keys(workbooks).join(', ')}\n`,
    );
    expect(Object.keys(workbooks).length).toBeGreaterThan(10);
  });
});
