/** Rules for every uploaded CSV file. */

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
 * before a number; and the formula around it (`="007"`).
 */
export const plainCell = (cell: string): string =>
  cell
    .replace(/^=\s*"((?:[^"]|"")*)"$/, (_, text: string) => text.replaceAll('""', '"'))
    .replace(/^'(?=[=+\-@＝＋－＠\d])/u, '')
    .trim();
