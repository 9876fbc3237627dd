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

/** Removes the quotation mark that our exports put before a text that a spreadsheet would run as a formula. */
export const plainCell = (cell: string): string => cell.replace(/^'(?=[=+\-@＝＋－＠])/u, '').trim();
