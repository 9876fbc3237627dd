import {
  beginTopUp,
  beginTopUpInput,
  cancelTopUp,
  checkTopUp,
  getTopUpRequest,
  listTopUpOffers,
  topUpRequestIdInput,
} from '@/server/domain/top-ups';
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
