import { describe, expect, test } from 'vitest';
import { textRow, type WorkbookParts, workbookFile } from '@/server/testing/workbook';
import { readTable } from './read-table';
import type { TableRow } from './rows';

async function readBytes(bytes: Uint8Array, choice = {}) {
  const rows: TableRow[] = [];
  async function* body() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const source = await readTable({ body: body(), choice, country: 'SG', maxBytes: 50_000_000 }, (row) => {
    rows.push(row);
  });
  return { source, rows };
}
const read = async (parts: WorkbookParts, choice = {}) => readBytes(await workbookFile(parts), choice);
const headings = textRow(1, 'A', 'B');
const cellsOf = async (cells: string, parts: Partial<WorkbookParts> = {}) =>
  (await read({ sheets: { One: `${headings}<row r="2">${cells}</row>` }, ...parts })).rows[1]?.cells;

describe('a cell', () => {
  test.each([
    ['a whole number', '<v>6591234567</v>', '6591234567'],
    ['a number as a program writes it', '<v>6.591234567E9</v>', '6591234567'],
    ['a number with decimals, marked as one', '<v>1.25</v>', '=1.25'],
    ['a number that a computer can’t write exactly', '<v>12.499999999999998</v>', '=12.5'],
    [
      'a number whose last digits are lost, in a notation that no phone or code has',
      '<v>4111111111111110</v>',
      '4.11111111111111E+15',
    ],
    ['the stored value of a formula', '<f>1+1</f><v>2</v>', '2'],
    ['a formula without a stored value, as it is', '<f>B1*2</f>', '=B1*2'],
    ['nothing', '', ''],
  ])('is %s', async (_, content, text) => {
    expect(await cellsOf(`<c r="A2">${content}</c>`)).toEqual(text === '' ? undefined : [text]);
  });

  test.each([
    ['a day', 14, '45823', '2025-06-15'],
    ['a day with its time', 22, '45823.604166666664', '2025-06-15 14:30:00'],
    ['a day of a Chinese format', 31, '45823', '2025-06-15'],
    ['a day that is shown without its year', 'd-mmm', '31213', '--06-15'],
    ['a month that is shown without a day', 'mmm yyyy', '31213', '1985-06'],
    ['a day of a format of one’s own', 'dd"th" mmm yyyy', '31213', '1985-06-15'],
    ['a day of a Japanese format', '[$-411]ggge"年"m"月"d"日";@', '31213', '1985-06-15'],
    ['a day before the leap day that 1900 did not have', 14, '59', '1900-02-28'],
    ['a time', 'h:mm', '0.604166666666667', '14:30:00'],
    ['a number of a currency', '[$S$-en-SG]#,##0.00;[Red]-0', '12.5', '=12.5'],
    ['a number with its leading zeros', '00000', '7', '00007'],
    ['a number with a text of date letters', '0 "days"', '7', '7'],
  ])('is %s, by its format', async (_, format, value, text) => {
    expect(await cellsOf(`<c r="A2" s="1"><v>${value}</v></c>`, { formats: [format] })).toEqual([text]);
  });

  test('of a Mac’s old calendar has days from 1904', async () => {
    const parts = { formats: [14], isFrom1904: true };
    expect(await cellsOf('<c r="A2" s="1"><v>44361</v></c>', parts)).toEqual(['2025-06-15']);
  });

  test('is a text: shared, rich, without its reading aid, in place, computed, an error, a truth, an ISO date', async () => {
    const cells = await cellsOf(
      `<c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><t> x </t></is></c>
       <c r="D2" t="str"><f>A1</f><v>a&amp;b</v></c><c r="E2" t="e"><v>#N/A</v></c><c r="F2" t="b"><v>1</v></c>
       <c r="H2" t="d"><v>2025-06-15T00:00:00</v></c>`,
      {
        strings:
          '<si><t xml:space="preserve">0012345</t></si><si><r><t>山</t></r><r><t>田_x000A_</t></r><rPh sb="0" eb="1"><t>ヤマダ</t></rPh></si>',
      },
    );
    expect(cells).toEqual(['0012345', '山田', 'x', 'a&b', '#N/A', 'TRUE', '', '2025-06-15']);
  });
});

describe('a sheet', () => {
  const sheets = {
    Secret: headings + textRow(2, 'hidden', 'x'),
    Notes: textRow(1, 'Exported on Monday'),
    People: textRow(1, 'All our members') + textRow(3, 'Name', 'Phone') + textRow(5, 'Ada', '81234567'),
    More: headings + textRow(2, 'c', 'd'),
  };
  test('with a table is found behind notes, below a title, with the row numbers that people see', async () => {
    const { source, rows } = await read({ sheets, hidden: ['Secret'] });
    expect(source).toEqual({ kind: 'workbook', sheets: ['Notes', 'People', 'More'], sheet: 1 });
    expect(rows).toEqual([
      { rowNumber: 1, cells: ['Name', 'Phone'] },
      { rowNumber: 5, cells: ['Ada', '81234567'] },
    ]);
  });
  test('can be chosen', async () => {
    const { source, rows } = await read({ sheets, hidden: ['Secret'] }, { sheet: 2 });
    expect([source, rows[1]?.cells]).toEqual([expect.objectContaining({ sheet: 2 }), ['c', 'd']]);
    await expect(read({ sheets }, { sheet: 9 })).rejects.toThrow('no sheet of the file');
  });
  test('may leave out the numbers of its rows and cells', async () => {
    const { rows } = await read({
      sheets: { One: '<row><c><v>1</v></c><c><v>2</v></c></row><row/><row><c r="B3"><v>3</v></c></row>' },
    });
    expect(rows).toEqual([
      { rowNumber: 1, cells: ['1', '2'] },
      { rowNumber: 3, cells: ['', '3'] },
    ]);
  });
});

describe('a hostile or damaged file is refused', () => {
  const sheet = { One: headings + textRow(2, 'a', 'b') };
  test.each([
    ['a text that was zipped', { '_rels/.rels': 'no xml' }, 'damaged'],
    ['no workbook', { '_rels/.rels': '<Relationships/>' }, 'damaged'],
    ['an OpenDocument file', { '_rels/.rels': '<Relationships/>', 'content.xml': '<x/>' }, 'OpenDocument'],
    [
      'a text that is not shared',
      { 'xl/worksheets/sheet1.xml': '<s><row r="1"><c t="s"><v>7</v></c></row></s>' },
      'damaged',
    ],
    ['a row that goes back', { 'xl/worksheets/sheet1.xml': `<s>${textRow(2, 'a')}${textRow(1, 'b')}</s>` }, 'damaged'],
    ['a row beyond all', { 'xl/worksheets/sheet1.xml': '<s><row r="99999999"/></s>' }, 'damaged'],
    ['XML that ends early', { 'xl/worksheets/sheet1.xml': '<s><row r="1">' }, 'damaged'],
    ['bytes that are no UTF-8', { 'xl/worksheets/sheet1.xml': Buffer.from('<s>\xff</s>', 'latin1') }, 'damaged'],
    [
      'entities that grow',
      {
        'xl/sharedStrings.xml': `<!DOCTYPE s [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "&a;&a;&a;">]><s><si><t>&b;</t></si></s>`,
      },
      'damaged',
    ],
    ['a name without end', { 'xl/worksheets/sheet1.xml': `<s ${'a'.repeat(2_000_000)}="1"/>` }, 'damaged|more cells'],
    [
      'a cell without end',
      { 'xl/worksheets/sheet1.xml': `<s><row><c><v>${'1'.repeat(900_000)}</v></c></row></s>` },
      'damaged',
    ],
    ['a bomb in its cells', { 'xl/worksheets/sheet1.xml': `<s>${' '.repeat(60_000_000)}</s>` }, 'more cells'],
    [
      'a bomb in its texts',
      { 'xl/sharedStrings.xml': `<s>${'<si><t>aaaaaaaa</t></si>'.repeat(2_000_000)}</s>` },
      'more cells',
    ],
  ] as [string, Record<string, string | Buffer>, string][])('for %s', async (_, others, words) => {
    await expect(read({ sheets: sheet, others })).rejects.toThrow(new RegExp(words));
  });

  test('if bytes are missing, or it is of an old Excel', async () => {
    const bytes = await workbookFile({ sheets: sheet });
    for (const length of [30, 200, bytes.length - 30]) {
      await expect(readBytes(bytes.subarray(0, length))).rejects.toThrow('damaged');
    }
    await expect(readBytes(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toThrow('old Excel');
  });

  test('if a part is larger than it says', async () => {
    const bytes = await workbookFile({ sheets: { One: headings + textRow(2, 'a', 'b'.repeat(5_000)) } });
    // The size in the central directory, of the largest part.
    const at = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    bytes.writeUInt32LE(100, at + 24);
    await expect(readBytes(bytes)).rejects.toThrow('damaged');
  });

  test('in bounded memory', async () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, n) => `<row r="${n + 2}"><c t="s"><v>${n}</v></c><c><v>${n}</v></c></row>`,
    );
    const strings = Array.from({ length: 60_000 }, (_, n) => `<si><t>Person number ${n}</t></si>`).join('');
    const bytes = await workbookFile({ sheets: { One: headings + rows.join('') }, strings });
    let count = 0;
    let most = 0;
    async function* body() {
      yield bytes;
    }
    const before = process.memoryUsage().rss;
    await readTable({ body: body(), choice: {}, country: 'SG', maxBytes: 50_000_000 }, () => {
      count += 1;
      if (count % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss - before);
    });
    expect(count).toBe(60_001);
    expect(most).toBeLessThan(150 * 1024 * 1024);
  });
});
