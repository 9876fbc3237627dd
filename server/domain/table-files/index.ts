/** Reads the files that merchants upload (CSV in several encodings, Excel) as rows of cells. */

export { readTable } from './read-table';
export type { TableRow } from './rows';
export { isUnsure, type TableChoice, type TableSource } from './schemas';
