/** Rules for every uploaded CSV file. */

/** Spreadsheets of some countries write semicolons, or tabs: whichever is most often in the headings, the first line. */
export function delimiterOf(csv: string): string {
  const [line = ''] = csv.split('\n', 1);
  const count = (delimiter: string) => line.replace(/"[^"]*"/g, '').split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Without the quotation mark that our exports put before what a spreadsheet would run as a formula. */
export const plainCell = (cell: string): string => cell.replace(/^'(?=[=+\-@＝＋－＠])/u, '').trim();
