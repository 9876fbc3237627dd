import { acknowledgeRefund, topUpRequestIdInput } from '@/server/domain/top-ups';
import {
  getTransaction,
  listTransactions,
  listTransactionsInput,
  previewVoid,
  staffVoidInput,
  staffVoidPreviewInput,
  transactionUid,
  voidByStaff,
} from '@/server/domain/transactions';
import { managerProcedure, router } from './init';

export const transactionsRouter = router({
  list: managerProcedure.input(listTransactionsInput).query(({ ctx, input }) => listTransactions(ctx, input)),
  get: managerProcedure.input(transactionUid).query(({ ctx, input }) => getTransaction(ctx, input)),
  voidPreview: managerProcedure.input(staffVoidPreviewInput).query(({ ctx, input }) => previewVoid(ctx, input)),
  void: managerProcedure.input(staffVoidInput).mutation(({ ctx, input }) => voidByStaff(ctx, input)),
  acknowledgeRefund: managerProcedure
    .input(topUpRequestIdInput)
    .mutation(({ ctx, input }) => acknowledgeRefund(ctx, input)),
});
