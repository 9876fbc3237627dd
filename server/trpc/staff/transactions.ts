import { acknowledgeRefund } from '@/server/domain/top-up-requests/refund-alerts';
import { topUpRequestIdInput } from '@/server/domain/top-up-requests/schemas';
import { getTransaction } from '@/server/domain/transactions/detail';
import { listTransactions } from '@/server/domain/transactions/list';
import {
  listTransactionsInput,
  staffVoidInput,
  staffVoidPreviewInput,
  transactionUid,
} from '@/server/domain/transactions/schemas';
import { previewVoid, voidByStaff } from '@/server/domain/transactions/void-staff';
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
