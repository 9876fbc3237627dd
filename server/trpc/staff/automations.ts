import { listAutomations, runNow, runNowInput } from '@/server/domain/automations';
import { managerProcedure, router } from './init';

export const automationsRouter = router({
  list: managerProcedure.query(({ ctx }) => listAutomations(ctx)),
  runNow: managerProcedure.input(runNowInput).mutation(({ ctx, input }) => runNow(ctx, input)),
});
