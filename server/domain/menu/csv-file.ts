/** Reads a menu from a CSV file, and reports every mistake by row. */
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { delimiterOf, plainCell } from '../kernel/csv';
import { describeFailure } from '../kernel/describe-failure';
import { minorDigits } from '../kernel/money';
import { problem, type Sentence, say } from '../kernel/say';
import { maxMoney } from '../kernel/schemas';
import { allergen, diet, itemInput } from './schemas';

export const csvColumns = ['plu', 'name', 'price', 'category', 'description', 'allergens', 'diets', 'stores'] as const;
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
  readonly list: CsvIssue[] = [];

  add(row: number, column: string, sentence: Sentence): void {
    if (this.list.length < maxIssues) this.list.push({ row, column, sentence });
  }
}

interface Known {
  currency: string;
  storeCodes: string[];
}

/** Reads a file's items. Returns none if the file is not a list of items. Adds problems to `issues`. */
export function readItems(csv: string, known: Known, issues: CsvIssues): CsvItem[] {
  const delimiter = delimiterOf(csv);
  const [headings = [], ...rows] = readCells(csv, delimiter, issues);
  const columns = headings.map((heading) => heading.toLowerCase());
  for (const [index, column] of columns.entries()) {
    if (!isColumn(column))
      issues.add(1, headings[index] ?? '', say('noMenuColumn', { columns: csvColumns.join(', ') }));
    else if (columns.indexOf(column) < index) issues.add(1, column, say('twice'));
  }
  for (const column of required) if (!columns.includes(column)) issues.add(1, column, say('missing'));
  if (rows.length > maxCsvRows) issues.add(maxCsvRows + 2, '', say('oneRowTooMany', { count: maxCsvRows }));
  if (issues.list.length > 0) return [];
  const filled = rows.map((cells, index) => ({ cells, row: index + 2 })).filter(({ cells }) => cells.some(Boolean));
  if (filled.length === 0) issues.add(2, '', say('noItems'));
  const schema = rowSchema(known, delimiter === ';');
  const seen = new Map<unknown, number>();
  return filled.flatMap(({ cells, row }) => {
    for (const [index, cell] of cells.entries()) {
      // The replacement character: some bytes were not UTF-8.
      if (cell.includes('\ufffd')) issues.add(row, columns[index] ?? '', say('notUtf8'));
    }
    const named = columns.map((column, index) => [
      column,
      cells[index] === undefined ? undefined : plainCell(cells[index]),
    ]);
    const cellsByColumn = Object.fromEntries(named);
    const twin = seen.get(cellsByColumn.plu);
    if (twin !== undefined) issues.add(row, 'plu', say('inRowAlready', { row: twin }));
    if (cellsByColumn.plu) seen.set(cellsByColumn.plu, row);
    const { data, error } = schema.safeParse(cellsByColumn);
    for (const issue of error?.issues ?? []) issues.add(row, String(issue.path[0]), describeFailure(issue));
    return data ? [{ row, ...data }] : [];
  });
}

const isColumn = (text: string): text is Column => (csvColumns as readonly string[]).includes(text);

function readCells(csv: string, delimiter: string, issues: CsvIssues): string[][] {
  try {
    return parse(csv, {
      bom: true,
      delimiter,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      to: maxCsvRows + 2,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    issues.add(Number(error.records ?? 0) + 1, '', say('csvBroken'));
    return [csvColumns.slice()];
  }
}

const valuesIn = (cell: string) => {
  const values = cell.split(listSeparator).map((one) => one.trim());
  return [...new Set(values.filter(Boolean))];
};

/** The schema of a row's cells, by column. A missing column stays undefined. */
function rowSchema({ currency, storeCodes }: Known, hasDecimalComma: boolean) {
  const { plu, name, description } = itemInput.shape;
  const example = printPrice(10 ** minorDigits(currency) * 8.5, currency);
  return z.object({
    plu,
    name,
    category: name,
    price: z.string().transform((cell, { addIssue }) => {
      const price = parsePrice(hasDecimalComma ? cell.replace(',', '.') : cell, currency);
      if (price === null) addIssue({ code: 'custom', ...problem('notAnAmount', { example }) });
      return price ?? 0;
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

/** Returns minor units, or null for an invalid price. */
function parsePrice(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || fraction.length > digits) return null;
  const price = Number(whole + fraction.padEnd(digits, '0'));
  return price > maxMoney ? null : price;
}

/** Formats a price so that `parsePrice` reads it. */
export function printPrice(price: number, currency: string): string {
  const digits = minorDigits(currency);
  return (price / 10 ** digits).toFixed(digits);
}
