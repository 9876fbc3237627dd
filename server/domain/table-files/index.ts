/** Reads the files that merchants upload, whatever wrote them, as rows of cells. */

export { readTable, type TableRow, type Upload } from './read-table';
export { type Encoding, encoding, type TableChoice, type TableSource } from './schemas';
