import { closeTableCodes } from '@/server/domain/qr-ordering/close-several';
import {
  qrCodeListInput,
  staffQrCodeInput,
  staffQrCodesInput,
  tableCardsInput,
  tableCodeInput,
} from '@/server/domain/qr-ordering/schemas';
import { generateTableCode, getTableCode, listQrCodes, listTableCards } from '@/server/domain/qr-ordering/table-codes';
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
