import { cartInput, getCartBenefits } from '@/server/domain/diners';
import { router, tableCustomerProcedure } from './init';

export const cartRouter = router({
  benefits: tableCustomerProcedure
    .input(cartInput)
    .query(({ ctx: { services, table, diner }, input }) => getCartBenefits(services, table, diner, input)),
});
