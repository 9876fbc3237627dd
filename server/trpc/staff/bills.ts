import { billListInput, getBillStory, listBills, staffBillInput } from '@/server/domain/bills';
import { cashierProcedure, router } from './init';

export const billsRouter = router({
  list: cashierProcedure.input(billListInput).query(({ ctx, input }) => listBills(ctx, input)),
  get: cashierProcedure.input(staffBillInput).query(({ ctx, input }) => getBillStory(ctx, input)),
});
