import { beginTopUp, listTopUpOffers } from '@/server/domain/top-up-requests/begin';
import { cancelTopUp, checkTopUp } from '@/server/domain/top-up-requests/change';
import { beginTopUpInput, topUpRequestIdInput } from '@/server/domain/top-up-requests/schemas';
import { getTopUpRequest } from '@/server/domain/top-up-requests/view';
import { customerProcedure, router } from './init';

const procedure = customerProcedure.use(({ ctx: { services, diner }, next }) =>
  next({ ctx: { customer: { ...services, merchant: diner.merchant, customerId: diner.customerId } } }),
);

export const topUpsRouter = router({
  packages: procedure.query(({ ctx }) => listTopUpOffers(ctx.customer)),
  begin: procedure.input(beginTopUpInput).mutation(({ ctx, input }) => beginTopUp(ctx.customer, input)),
  get: procedure.input(topUpRequestIdInput).query(({ ctx, input }) => getTopUpRequest(ctx.customer, input)),
  check: procedure.input(topUpRequestIdInput).mutation(({ ctx, input }) => checkTopUp(ctx.customer, input)),
  cancel: procedure.input(topUpRequestIdInput).mutation(({ ctx, input }) => cancelTopUp(ctx.customer, input)),
});
