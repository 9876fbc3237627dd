import {
  billPaymentInput,
  cancelBillPayment,
  checkBillPayment,
  getTableBill,
  payBill,
  payBillInput,
  tableBillInput,
} from '@/server/domain/bills';
import {
  billOffersInput,
  getBillOffers,
  redeemOnBill,
  redeemOnBillInput,
  sendBillReceipt,
  sendsReceipts,
  takeBackInput,
  takeBackOnBill,
} from '@/server/domain/diners';
import {
  openTableProcedure,
  router,
  scannedCustomerProcedure,
  scannedTableProcedure,
  signedInCustomerOf,
  tableCustomerProcedure,
} from './init';

export const billRouter = router({
  /** Works even after the code is closed, for phones that had a part in the bill. */
  get: scannedTableProcedure.input(tableBillInput).query(async ({ ctx: { services, table, session }, input }) => {
    const customerId = await signedInCustomerOf(services, table.merchant, session);
    return getTableBill(services, table, { guestId: input.guestId, customerId });
  }),
  offers: tableCustomerProcedure
    .input(billOffersInput)
    .query(({ ctx: { services, table, diner }, input }) => getBillOffers(services, table, diner, input.language)),
  redeem: tableCustomerProcedure
    .input(redeemOnBillInput)
    .mutation(({ ctx: { services, table, diner }, input }) => redeemOnBill(services, table, diner, input)),
  /**
   * Whether the bill can be sent to the customer's WhatsApp. Works even after the code is closed, like `sendReceipt`.
   */
  sendsReceipt: scannedCustomerProcedure.query(({ ctx: { table } }) => sendsReceipts(table.merchant)),
  sendReceipt: scannedCustomerProcedure.mutation(({ ctx: { services, table, diner } }) =>
    sendBillReceipt(services, table, diner),
  ),
  takeBack: tableCustomerProcedure
    .input(takeBackInput)
    .mutation(({ ctx: { services, table, diner }, input }) => takeBackOnBill(services, table, diner, input)),
  pay: openTableProcedure
    .input(payBillInput)
    .mutation(({ ctx: { services, table, visit }, input }) => payBill(services, table, input, visit.client)),
  /** Works even after the code is closed. */
  payment: scannedTableProcedure
    .input(billPaymentInput)
    .mutation(({ ctx: { services, table }, input }) => checkBillPayment(services, table, input)),
  cancelPayment: scannedTableProcedure
    .input(billPaymentInput)
    .mutation(({ ctx: { services, table }, input }) => cancelBillPayment(services, table, input)),
});
