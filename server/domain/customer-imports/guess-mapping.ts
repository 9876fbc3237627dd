/** Guesses what the columns of a file hold, from its headings and first rows. */

import type { Merchant } from '../kernel/context';
import { plainHeading } from '../kernel/csv';
import { dateOrderOf, isIsoDate, readBirthdayCell, readDateCell, thisCentury } from './date-cell';
import { guessColumns, isDoubtful } from './headings';
import { type KnownFile, type KnownFileId, knownFiles } from './known-files';
import { type DateOrder, dateOrder, expiryFields, type ImportField, type ImportMapping } from './schemas';

export interface Guess {
  mapping: ImportMapping;
  /** The system that wrote the file; null if unknown. */
  known: KnownFileId | null;
  /** Columns that may hold money or points, but do not say so: the merchant has to choose. */
  doubtful: number[];
}

/** Guesses each field's column, and the format of dates. A column whose heading leaves a doubt is left out. */
export function guessMapping(
  headings: string[],
  rows: string[][],
  { country, currency }: Pick<Merchant, 'country' | 'currency'>,
): Guess {
  const plain = headings.map((heading) => plainHeading(heading, currency));
  const known = findKnownFile(plain);
  const columns = known === null ? guessColumns(plain, rows) : columnsOf(knownFiles[known], plain, rows);
  const used = Object.values(columns);
  return {
    mapping: { columns, dateOrder: guessDateOrder(columns, rows, country) },
    known,
    doubtful: plain.flatMap((heading, column) => (isDoubtful(heading) && !used.includes(column) ? column : [])),
  };
}

function findKnownFile(headings: string[]): KnownFileId | null {
  const ids = Object.keys(knownFiles) as KnownFileId[];
  const isWhole = (signature: string[]) => signature.every((heading) => headings.includes(plainHeading(heading)));
  return ids.find((id) => knownFiles[id].signatures.some(isWhole)) ?? null;
}

/** The file's own columns; what the merchant has added to them is guessed. */
function columnsOf(file: KnownFile, headings: string[], rows: string[][]): ImportMapping['columns'] {
  const fields = Object.entries(file.columns) as [ImportField, string[]][];
  const columns: ImportMapping['columns'] = {};
  for (const [field, names] of fields) {
    const present = names.flatMap((name) => {
      const column = headings.indexOf(plainHeading(name));
      return column < 0 ? [] : column;
    });
    const column = present.find((one) => rows.some((cells) => Boolean(cells[one]))) ?? present[0];
    if (column !== undefined) columns[field] = column;
  }
  const own = new Set(
    [...fields.flatMap(([, names]) => names), ...(file.unused ?? [])].map((one) => plainHeading(one)),
  );
  const added = guessColumns(
    headings.map((heading) => (own.has(heading) ? '' : heading)),
    rows,
  );
  return { ...added, ...columns };
}

function guessDateOrder(columns: ImportMapping['columns'], rows: string[][], country: string): DateOrder {
  const cellsOf = (column = -1) => rows.flatMap((cells) => cells[column] || []);
  const birthdays = cellsOf(columns.birthday);
  const expiries = expiryFields.flatMap((field) => cellsOf(columns[field]));
  const dates = [...birthdays, ...expiries];
  const usual = dates.length > 0 && dates.every(isIsoDate) ? 'YMD' : dateOrderOf(country);
  const count = (order: DateOrder) =>
    birthdays.filter((one) => readBirthdayCell(one, order, '2999') !== null).length +
    expiries.filter((one) => readDateCell(one, order, thisCentury) !== null).length;
  const orders = [usual, ...dateOrder.options.filter((order) => order !== usual)];
  const [best = usual] = orders.toSorted((a, b) => count(b) - count(a));
  return best;
}
