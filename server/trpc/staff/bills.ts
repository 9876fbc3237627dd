import {
  billListInput,
  getBillStory,
  listBills,
  refundByStaffInput,
  releaseBillPaymentByStaff,
  releaseByStaffInput,
  settleOverpaidBill,
  settleOverpaidInput,
  staffBillInput,
} from '@/server/domain/bills';
import { refundBillPaymentByStaff } from '@/server/domain/transactions';
import { cashierProcedure, managerProcedure, router } from './init';

export const billsRouter = router({
  list: cashierProcedure.input(billListInput).query(({ ctx, input }) => listBills(ctx, input)),
  get: cashierProcedure.input(staffBillInput).query(({ ctx, input }) => getBillStory(ctx, input)),
  releasePayment: cashierProcedure
    .input(releaseByStaffInput)
    .mutation(({ ctx, input }) => releaseBillPaymentByStaff(ctx, input)),
  settleOverpaid: managerProcedure
    .input(settleOverpaidInput)
    .mutation(({ ctx, input }) => settleOverpaidBill(ctx, input)),
  refundPayment: managerProcedure
    .input(refundByStaffInput)
    .mutation(({ ctx, input }) => refundBillPaymentByStaff(ctx, input)),
});
