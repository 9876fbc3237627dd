/** Rules for the cells of every uploaded file. */

/** A number of a workbook, with a decimal point: `=12.5`. */
const numberCell = /^=(-?\d+(?:\.\d+)?)$/;

/** Returns the number of a workbook's cell that has decimals; null for a text. */
export const numberOf = (cell: string): string | null => numberCell.exec(cell)?.[1] ?? null;

/**
 * Returns the delimiter that is most frequent in the first line: spreadsheets of some countries write semicolons or
 * tabs.
 */
export function delimiterOf(csv: string): string {
  const [line = ''] = csv.split('\n', 1);
  const count = (delimiter: string) => line.replace(/"[^"]*"/g, '').split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * Removes what keeps a spreadsheet from changing a text: the quotation mark before a formula, as in our exports, or
 * before a number; and the formula around it (`="007"`, `=12.5`).
 */
export const plainCell = (cell: string): string =>
  cell
    .replace(/^=\s*"((?:[^"]|"")*)"$/, (_, text: string) => text.replaceAll('""', '"'))
    .replace(numberCell, '$1')
    .replace(/^'(?=[=+\-@＝＋－＠\d])/u, '')
    .trim();

/** Returns a heading in plain words: `Stored_Value`, `storedValue` and `STORED VALUE` are one. */
export function plainHeading(heading: string, currency = ''): string {
  return heading
    .normalize('NFKC')
    .replace(/^\p{Cf}+/u, '')
    .replace(/e-?mail/gi, 'email')
    .replace(
      new RegExp(`\\p{L}{0,2}\\p{Sc}|(?<!\\p{L})(?:RM|Rp${currency && `|${currency}`})(?!\\p{L})`, 'gu'),
      ' money ',
    )
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
