import {
  getImport,
  importProblemsInput,
  importTotalsInput,
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
import { managerProcedure, router } from './init';

/** Files are uploaded by `POST /api/customer-imports`. */
export const customerImportsRouter = router({
  list: managerProcedure.input(listImportsInput).query(({ ctx, input }) => listImports(ctx, input)),
  get: managerProcedure.input(oneImportInput).query(({ ctx, input }) => getImport(ctx, input)),
  preview: managerProcedure.input(mappedImportInput).query(({ ctx, input }) => previewImport(ctx, input)),
  totals: managerProcedure.input(importTotalsInput).query(({ ctx, input }) => sumImport(ctx, input)),
  undo: managerProcedure.input(oneImportInput).mutation(({ ctx, input }) => undoImport(ctx, input)),
  start: managerProcedure.input(mappedImportInput).mutation(({ ctx, input }) => startImport(ctx, input)),
  problems: managerProcedure.input(importProblemsInput).query(({ ctx, input }) => listProblems(ctx, input)),
});
