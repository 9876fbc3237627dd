/** Customers from a file, in the background. */

export { sumImport } from './count-rows';
export { listProblems, previewImport } from './import-rows';
export { getImport, listImports, undoImport } from './imports';
export { rehearseImport } from './rehearse';
export { continueImport, forgetOldImports, importCustomersTask, requeueStalledImports } from './run';
export {
  type AmountField,
  type DateOrder,
  type ImportField,
  type ImportMapping,
  importMapping,
  importProblemsInput,
  listImportsInput,
  mappedImportInput,
  oneImportInput,
  uploadInput,
} from './schemas';
export { startImport } from './start';
export { receiveFile } from './upload';
