import { acknowledgeRefund, topUpRequestIdInput } from '@/server/domain/top-ups';
import {
  getTransaction,
  listTransactions,
  listTransactionsInput,
  previewVoid,
  refundPart,
  refundPartInput,
  staffVoidInput,
  staffVoidPreviewInput,
  transactionUid,
  voidByStaff,
} from '@/server/domain/transactions';
import { cashierProcedure, generalManagerProcedure, managerProcedure, router } from './init';

export const transactionsRouter = router({
  list: cashierProcedure.input(listTransactionsInput).query(({ ctx, input }) => listTransactions(ctx, input)),
  get: cashierProcedure.input(transactionUid).query(({ ctx, input }) => getTransaction(ctx, input)),
  voidPreview: managerProcedure.input(staffVoidPreviewInput).query(({ ctx, input }) => previewVoid(ctx, input)),
  void: managerProcedure.input(staffVoidInput).mutation(({ ctx, input }) => voidByStaff(ctx, input)),
  refundPart: cashierProcedure.input(refundPartInput).mutation(({ ctx, input }) => refundPart(ctx, input)),
  acknowledgeRefund: generalManagerProcedure
    .input(topUpRequestIdInput)
    .mutation(({ ctx, input }) => acknowledgeRefund(ctx, input)),
});
