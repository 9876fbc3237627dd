import { z } from 'zod';
import { revision } from '@/server/domain/kernel/schemas';
import {
  createPackage,
  getManagedPackage,
  listManagedPackages,
  packageIdInput,
  packageInput,
  packageListInput,
  packageOrderInput,
  reorderPackages,
  setPackageArchived,
  updatePackage,
} from '@/server/domain/stored-value';
import { generalManagerProcedure, managerProcedure, router } from './init';

export const packagesRouter = router({
  list: managerProcedure.input(packageListInput).query(({ ctx, input }) => listManagedPackages(ctx, input)),
  get: managerProcedure.input(packageIdInput).query(({ ctx, input }) => getManagedPackage(ctx, input)),
  create: generalManagerProcedure.input(packageInput).mutation(({ ctx, input }) => createPackage(ctx, input)),
  update: generalManagerProcedure
    .input(packageIdInput.extend({ package: packageInput, revision }))
    .mutation(({ ctx, input }) => updatePackage(ctx, input)),
  setArchived: generalManagerProcedure
    .input(packageIdInput.extend({ isArchived: z.boolean() }))
    .mutation(({ ctx, input }) => setPackageArchived(ctx, input)),
  reorder: generalManagerProcedure.input(packageOrderInput).mutation(({ ctx, input }) => reorderPackages(ctx, input)),
});
