/** Reads a menu from a file, and reports every mistake by row. */
import { z } from 'zod';
import { ColumnNotation, readAmountCell } from '../kernel/amount-cells';
import { plainCell, plainHeading } from '../kernel/csv';
import { describeFailure } from '../kernel/describe-failure';
import { DomainError } from '../kernel/errors';
import { minorDigits } from '../kernel/money';
import { problem, type Sentence, say } from '../kernel/say';
import { maxMoney } from '../kernel/schemas';
import { readTable, type TableChoice, type TableRow, type TableSource } from '../table-files';
import { allergen, csvColumns, diet, itemInput, menuLimits } from './schemas';

type Column = (typeof csvColumns)[number];
const required: Column[] = ['plu', 'name', 'price', 'category'];

export const maxCsvRows = 5_000;
const maxIssues = 500;
/** Separates values within a cell. */
export const listSeparator = '|';
export const everyStore = 'all';

/** A row's item. A field is undefined if the file has no column for it. */
export type CsvItem = z.infer<ReturnType<typeof rowSchema>> & {
  /** The spreadsheet's row number: the headings are row 1. */
  row: number;
};

export interface CsvIssue {
  row: number;
  column: string;
  sentence: Sentence;
}

/** Collects problems, up to a readable number. */
export class CsvIssues {
  constructor(readonly list: CsvIssue[] = []) {}

  /** For another attempt at the same file. */
  copy(): CsvIssues {
    return new CsvIssues([...this.list]);
  }

  add(row: number, column: string, sentence: Sentence): void {
    if (this.list.length < maxIssues) this.list.push({ row, column, sentence });
  }
}

interface Known {
  country: string;
  currency: string;
  storeCodes: string[];
}

/** A file's columns, counted from 0. */
export type MenuColumns = Partial<Record<Column, number>>;

export interface MenuFile {
  headings: string[];
  columns: MenuColumns;
  items: CsvItem[];
}

/** Other headings of a column, as tills and spreadsheets write them. The best comes first. */
const otherHeadings: Record<Column, string[]> = {
  plu: [
    'sku',
    'plu code',
    'item code',
    'product code',
    'menu code',
    'code',
    'item id',
    '商品编号',
    '编号',
    '商品コード',
    'kod',
  ],
  name: ['item name', 'product name', 'menu item', 'item', 'product', 'dish', '名称', '品名', '商品名', '菜名', 'nama'],
  price: ['unit price', 'selling price', 'base price', 'default price', '价格', '单价', '価格', '単価', 'harga'],
  category: [
    'category name',
    'categories',
    'menu group',
    'group',
    'department',
    '类别',
    '分类',
    'カテゴリ',
    'カテゴリー',
    'kategori',
  ],
  description: ['details', '描述', '说明', '説明', 'penerangan'],
  allergens: ['allergen', '过敏原', 'アレルゲン', 'alergen'],
  diets: ['diet', 'dietary'],
  stores: ['store', 'outlets', 'outlet', 'locations', '门店', '店舗', 'cawangan'],
};

/** Finds each column by its heading. A column of which two headings speak is the one that we name so ourselves. */
function guessColumns(headings: string[], currency: string): MenuColumns {
  const plain = headings.map((heading) => plainHeading(heading, currency).replace(/ money$/, ''));
  const found = csvColumns.flatMap((column) => {
    const name = [column, ...otherHeadings[column]].find((one) => plain.includes(one));
    return name === undefined ? [] : [[column, plain.indexOf(name)] as const];
  });
  return Object.fromEntries(found);
}

/** A file's rows, and what kind of file it is: null if it could not be read. */
export interface MenuTable {
  source: TableSource | null;
  headings: string[];
  rows: TableRow[];
}

/** Reads a file's rows, as far as a menu may have them. A file that is no table is a problem in `issues`. */
export async function readMenuTable(
  file: string,
  { choice, country }: { choice: TableChoice; country: string },
  issues: CsvIssues,
): Promise<MenuTable> {
  const rows: TableRow[] = [];
  const body = (async function* () {
    yield Buffer.from(file, 'base64');
  })();
  try {
    const source = await readTable({ body, choice, country, maxBytes: menuLimits.fileBytes }, (row) => {
      if (rows.length < maxCsvRows + 2) rows.push(row);
    });
    return { source, headings: rows[0]?.cells ?? [], rows: rows.slice(1) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    issues.add(1, '', error.issues[0]?.sentence ?? error.sentence);
    return { source: null, headings: [], rows: [] };
  }
}

/**
 * Reads a file's items, by the merchant's columns or those that its headings name. Returns none if the file is not a
 * list of items. Adds problems to `issues`.
 */
export function readItems(
  { source, headings, rows }: MenuTable,
  known: Known,
  issues: CsvIssues,
  chosen?: MenuColumns,
): MenuFile {
  if (source === null) return { headings, columns: {}, items: [] };
  const columns = chosen ?? guessColumns(headings, known.currency);
  const lower = headings.map((heading) => heading.toLowerCase());
  for (const [index, heading] of lower.entries()) {
    if (!chosen && isColumn(heading) && lower.indexOf(heading) < index) issues.add(1, heading, say('twice'));
  }
  for (const column of required) if (columns[column] === undefined) issues.add(1, column, say('missing'));
  if (rows.length > maxCsvRows)
    issues.add(rows[maxCsvRows]?.rowNumber ?? 1, '', say('oneRowTooMany', { count: maxCsvRows }));
  if (issues.list.length > 0) return { headings, columns, items: [] };
  if (rows.length === 0) issues.add(2, '', say('noItems'));
  const price = { currency: known.currency, digits: minorDigits(known.currency) };
  const notation = new ColumnNotation(price);
  for (const { cells } of rows) notation.add(cells[columns.price ?? -1] ?? '');
  const mark = notation.decimalMark(known.country);
  // Our own export writes `12.500` in currencies of three decimals, even if the country writes `12,500`.
  const markOf = (cell: string) => mark ?? (price.digits >= 3 && !cell.includes(',') ? '.' : null);
  const schema = rowSchema(known, (cell) => readAmountCell(cell, price, markOf(cell)));
  const seen = new Map<unknown, number>();
  const items = rows.flatMap(({ cells, rowNumber: row }) => {
    for (const [index, cell] of cells.entries()) {
      // The replacement character: the letter was lost before the file was uploaded.
      if (cell.includes('\ufffd')) issues.add(row, headings[index] ?? '', say('notUtf8'));
    }
    const cellsByColumn: Partial<Record<Column, string>> = {};
    for (const column of csvColumns) {
      const cell = cells[columns[column] ?? -1];
      if (cell !== undefined) cellsByColumn[column] = column === 'price' ? cell : plainCell(cell);
    }
    const twin = seen.get(cellsByColumn.plu);
    if (twin !== undefined) issues.add(row, 'plu', say('inRowAlready', { row: twin }));
    if (cellsByColumn.plu) seen.set(cellsByColumn.plu, row);
    const { data, error } = schema.safeParse(cellsByColumn);
    for (const issue of error?.issues ?? []) issues.add(row, String(issue.path[0]), describeFailure(issue));
    return data ? [{ row, ...data }] : [];
  });
  return { headings, columns, items };
}

const isColumn = (text: string): text is Column => (csvColumns as readonly string[]).includes(text);

const valuesIn = (cell: string) => {
  const values = cell.split(listSeparator).map((one) => one.trim());
  return [...new Set(values.filter(Boolean))];
};

/** The schema of a row's cells, by column. A missing column stays undefined. */
function rowSchema({ currency, storeCodes }: Known, readPrice: (cell: string) => number | 'ambiguous' | null) {
  const { plu, name, description } = itemInput.shape;
  const example = printPrice(10 ** minorDigits(currency) * 8.5, currency);
  return z.object({
    plu,
    name,
    category: name,
    price: z.string().transform((cell, { addIssue }) => {
      const price = readPrice(cell);
      if (typeof price === 'number' && price <= maxMoney) return price;
      addIssue({
        code: 'custom',
        ...(price === 'ambiguous' ? problem('ambiguousPrice', { example }) : problem('notAnAmount', { example })),
      });
      return 0;
    }),
    description: description.unwrap().optional(),
    allergens: z
      .string()
      .transform((cell) => valuesIn(cell.toLowerCase()))
      .pipe(z.array(allergen))
      .optional(),
    diets: z
      .string()
      .transform((cell) => valuesIn(cell.toLowerCase()))
      .pipe(z.array(diet))
      .optional(),
    stores: z
      .string()
      .transform((cell, { addIssue }) => {
        const codes = valuesIn(cell);
        const unknown = codes.join() === everyStore ? [] : codes.filter((code) => !storeCodes.includes(code));
        if (unknown.length > 0)
          addIssue({ code: 'custom', ...problem('unknownStores', { codes: unknown.join(', ') }) });
        return codes;
      })
      .optional(),
  });
}

/** Formats a price so that an import reads it. */
export function printPrice(price: number, currency: string): string {
  const digits = minorDigits(currency);
  return (price / 10 ** digits).toFixed(digits);
}
