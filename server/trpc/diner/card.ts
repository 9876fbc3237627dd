import { callFromCard, findBillOfCard, startOrdering } from '@/server/domain/floor';
import { router, tableProcedure } from './init';

/** For phones with the token of a table's card, until a bill is open at the table. */
export const cardRouter = router({
  bill: tableProcedure.query(({ ctx: { services, visit } }) => findBillOfCard(services, visit)),
  start: tableProcedure.mutation(({ ctx: { services, visit } }) => startOrdering(services, visit)),
  callStaff: tableProcedure.mutation(({ ctx: { services, visit } }) => callFromCard(services, visit)),
});
