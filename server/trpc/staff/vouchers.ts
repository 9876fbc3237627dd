import {
  cancelVoucher,
  cancelVoucherInput,
  countSegment,
  countSegmentInput,
  findRecipients,
  issueByStaff,
  issueInput,
  listVouchers,
  recipientsInput,
  voucherListInput,
} from '@/server/domain/vouchers';
import { generalManagerProcedure, managerProcedure, router } from './init';

export const vouchersRouter = router({
  list: managerProcedure.input(voucherListInput).query(({ ctx, input }) => listVouchers(ctx, input)),
  /** A query sent by POST, because its list of lines is too long for a URL. */
  findRecipients: generalManagerProcedure
    .input(recipientsInput)
    .mutation(({ ctx, input }) => findRecipients(ctx, input)),
  countSegment: generalManagerProcedure.input(countSegmentInput).query(({ ctx, input }) => countSegment(ctx, input)),
  issue: managerProcedure.input(issueInput).mutation(({ ctx, input }) => issueByStaff(ctx, input)),
  cancel: managerProcedure.input(cancelVoucherInput).mutation(({ ctx, input }) => cancelVoucher(ctx, input)),
});
