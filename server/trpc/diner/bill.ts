import {
  billOffersInput,
  getBillOffers,
  redeemOnBill,
  redeemOnBillInput,
  takeBackInput,
  takeBackOnBill,
} from '@/server/domain/diners';
import { router, tableCustomerProcedure } from './init';

export const billRouter = router({
  offers: tableCustomerProcedure
    .input(billOffersInput)
    .query(({ ctx: { services, table, diner }, input }) => getBillOffers(services, table, diner, input.language)),
  redeem: tableCustomerProcedure
    .input(redeemOnBillInput)
    .mutation(({ ctx: { services, table, diner }, input }) => redeemOnBill(services, table, diner, input)),
  takeBack: tableCustomerProcedure
    .input(takeBackInput)
    .mutation(({ ctx: { services, table, diner }, input }) => takeBackOnBill(services, table, diner, input)),
});
