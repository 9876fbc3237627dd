/** Customers from a CSV file, in the background. */

export { forgetImported } from './forget';
export { getImport, listImports, listProblems, previewImport, startImport } from './imports';
export { continueImport, forgetOldImports, importCustomersTask, requeueStalledImports } from './run';
export {
  type DateOrder,
  type ImportField,
  type ImportMapping,
  importProblemsInput,
  listImportsInput,
  mappedImportInput,
  oneImportInput,
} from './schemas';
export { receiveFile } from './upload';
