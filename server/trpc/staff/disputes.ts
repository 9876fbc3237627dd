import { acknowledgeDispute, disputeIdInput, disputesOfInput, listDisputesOf } from '@/server/domain/disputes';
import { cashierProcedure, managerProcedure, router } from './init';

export const disputesRouter = router({
  of: cashierProcedure.input(disputesOfInput).query(({ ctx, input }) => listDisputesOf(ctx, input)),
  acknowledge: managerProcedure.input(disputeIdInput).mutation(({ ctx, input }) => acknowledgeDispute(ctx, input)),
});
