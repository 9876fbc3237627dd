/** Reads the files that merchants upload, whatever wrote them, as rows of cells. */

export { readTable } from './read-table';
export type { TableRow } from './rows';
export { isUnsure, type TableChoice, type TableSource } from './schemas';
