import {
  cancelVoucher,
  cancelVoucherInput,
  countSegment,
  countSegmentInput,
  findRecipients,
  giveInput,
  giveVoucher,
  issueByStaff,
  issueInput,
  listGivable,
  listVouchers,
  recipientsInput,
  voucherListInput,
} from '@/server/domain/vouchers';
import { cashierProcedure, generalManagerProcedure, managerProcedure, router } from './init';

export const vouchersRouter = router({
  list: managerProcedure.input(voucherListInput).query(({ ctx, input }) => listVouchers(ctx, input)),
  /** A query sent by POST, because its list of lines is too long for a URL. */
  findRecipients: generalManagerProcedure
    .input(recipientsInput)
    .mutation(({ ctx, input }) => findRecipients(ctx, input)),
  countSegment: generalManagerProcedure.input(countSegmentInput).query(({ ctx, input }) => countSegment(ctx, input)),
  givable: cashierProcedure.query(({ ctx }) => listGivable(ctx)),
  give: cashierProcedure.input(giveInput).mutation(({ ctx, input }) => giveVoucher(ctx, input)),
  issue: managerProcedure.input(issueInput).mutation(({ ctx, input }) => issueByStaff(ctx, input)),
  cancel: managerProcedure.input(cancelVoucherInput).mutation(({ ctx, input }) => cancelVoucher(ctx, input)),
});
