/** More columns than these are not read. */
export const maxColumns = 200;

/** A row of a file. The headings are row 1; the others have the numbers that a spreadsheet shows. */
export interface TableRow {
  rowNumber: number;
  /**
   * Texts. In a workbook, a date is `YYYY-MM-DD`, also with a time, and a number with decimals is written as a formula
   * (`=12.5`), so that nobody has to guess what its point is.
   */
  cells: string[];
}

export type OnRow = (row: TableRow) => Promise<void> | void;
