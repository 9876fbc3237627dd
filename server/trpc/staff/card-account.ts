import { connectCardAccount, getCardAccount, refreshCardAccount } from '@/server/domain/card-accounts';
import { cashierProcedure, ownerProcedure, router, sensitiveProcedure } from './init';

export const cardAccountRouter = router({
  get: cashierProcedure.query(({ ctx }) => getCardAccount(ctx)),
  refresh: ownerProcedure.mutation(({ ctx }) => refreshCardAccount(ctx)),
  connect: sensitiveProcedure.mutation(({ ctx }) => connectCardAccount(ctx)),
});
