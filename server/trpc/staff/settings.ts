import { z } from 'zod';
import { getSettings, setPinRequired } from '@/server/domain/merchants/settings';
import { cashierProcedure, ownerProcedure, router } from './init';

export const settingsRouter = router({
  get: cashierProcedure.query(({ ctx }) => getSettings(ctx)),
  setPinRequired: ownerProcedure
    .input(z.strictObject({ pinRequired: z.boolean() }))
    .mutation(({ ctx, input }) => setPinRequired(ctx, input)),
});
