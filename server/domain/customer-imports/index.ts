/** Customers from a CSV file, in the background. */

export { listProblems, previewImport, sumImport } from './import-rows';
export { getImport, listImports, undoImport } from './imports';
export { continueImport, forgetOldImports, importCustomersTask, requeueStalledImports } from './run';
export {
  type DateOrder,
  type ImportField,
  type ImportMapping,
  importProblemsInput,
  importTotalsInput,
  listImportsInput,
  mappedImportInput,
  oneImportInput,
} from './schemas';
export { startImport } from './start';
export { receiveFile } from './upload';
