/** Reads the files that merchants upload, whatever wrote them, as rows of cells. */

export { readTable, type TableRow } from './read-table';
export type { TableChoice, TableSource } from './schemas';
