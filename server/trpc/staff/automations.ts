import { listAutomations, runNow, runNowInput } from '@/server/domain/automations';
import { generalManagerProcedure, router } from './init';

export const automationsRouter = router({
  list: generalManagerProcedure.query(({ ctx }) => listAutomations(ctx)),
  runNow: generalManagerProcedure.input(runNowInput).mutation(({ ctx, input }) => runNow(ctx, input)),
});
