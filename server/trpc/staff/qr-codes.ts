import {
  closeTableCodes,
  generateTableCode,
  getTableCode,
  listQrCodes,
  listTableCards,
  qrCodeListInput,
  staffQrCodeInput,
  staffQrCodesInput,
  tableCardsInput,
  tableCodeInput,
} from '@/server/domain/qr-ordering';
import { cashierProcedure, router } from './init';

export const qrCodesRouter = router({
  list: cashierProcedure.input(qrCodeListInput).query(({ ctx, input }) => listQrCodes(ctx, input)),
  get: cashierProcedure.input(staffQrCodeInput).query(({ ctx, input }) => getTableCode(ctx, input)),
  cards: cashierProcedure.input(tableCardsInput).query(({ ctx, input }) => listTableCards(ctx, input)),
  generate: cashierProcedure.input(tableCodeInput).mutation(({ ctx, input }) => generateTableCode(ctx, input)),
  invalidateSeveral: cashierProcedure
    .input(staffQrCodesInput)
    .mutation(({ ctx, input }) => closeTableCodes(ctx, input)),
});
