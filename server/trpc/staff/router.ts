import { followChanges } from '@/server/live/changes';
import { cashierProcedure, router } from './init';
import { settingsRouter } from './settings';

/** All procedures of the back office. */
export const staffRouter = router({
  settings: settingsRouter,
  /** The topics in which the merchant's data changes, as it happens. */
  changes: cashierProcedure.subscription(({ ctx, signal }) =>
    followChanges(ctx.db, ctx.merchant.id, signal ?? new AbortController().signal),
  ),
});

export type StaffRouter = typeof staffRouter;
