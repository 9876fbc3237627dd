import { z } from 'zod';
import { getSettings, setPinRequired } from '@/server/domain/merchants/settings';
import { followChanges } from '@/server/live/changes';
import { router, staffProcedure } from './init';

/** All procedures of the back office. */
export const staffRouter = router({
  settings: router({
    get: staffProcedure.query(({ ctx }) => getSettings(ctx)),
    setPinRequired: staffProcedure
      .input(z.strictObject({ pinRequired: z.boolean() }))
      .mutation(({ ctx, input }) => setPinRequired(ctx, input)),
  }),
  /** The topics in which the merchant's data changes, as it happens. */
  changes: staffProcedure.subscription(({ ctx, signal }) =>
    followChanges(ctx.db, ctx.merchant.id, signal ?? new AbortController().signal),
  ),
});

export type StaffRouter = typeof staffRouter;
