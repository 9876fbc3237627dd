import { listAutomations, runNow } from '@/server/domain/automations/run-now';
import { runNowInput } from '@/server/domain/automations/schemas';
import { managerProcedure, router } from './init';

export const automationsRouter = router({
  list: managerProcedure.query(({ ctx }) => listAutomations(ctx)),
  runNow: managerProcedure.input(runNowInput).mutation(({ ctx, input }) => runNow(ctx, input)),
});
