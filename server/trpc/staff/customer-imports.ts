import {
  getImport,
  importProblemsInput,
  listImports,
  listImportsInput,
  listProblems,
  mappedImportInput,
  oneImportInput,
  previewImport,
  startImport,
  sumImport,
  undoImport,
} from '@/server/domain/customer-imports';
import { generalManagerProcedure, router } from './init';

/** Files are uploaded by `POST /api/customer-imports`. */
export const customerImportsRouter = router({
  list: generalManagerProcedure.input(listImportsInput).query(({ ctx, input }) => listImports(ctx, input)),
  get: generalManagerProcedure.input(oneImportInput).query(({ ctx, input }) => getImport(ctx, input)),
  preview: generalManagerProcedure.input(mappedImportInput).query(({ ctx, input }) => previewImport(ctx, input)),
  totals: generalManagerProcedure
    .input(mappedImportInput)
    .query(({ ctx, input, signal }) => sumImport(ctx, input, signal)),
  undo: generalManagerProcedure.input(oneImportInput).mutation(({ ctx, input }) => undoImport(ctx, input)),
  start: generalManagerProcedure.input(mappedImportInput).mutation(({ ctx, input }) => startImport(ctx, input)),
  problems: generalManagerProcedure.input(importProblemsInput).query(({ ctx, input }) => listProblems(ctx, input)),
});
