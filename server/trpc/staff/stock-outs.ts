import {
  listSoldOut,
  listSoldOutInput,
  markSoldOut,
  markSoldOutInput,
  restoreSoldOut,
  restoreSoldOutInput,
} from '@/server/domain/stock-outs';
import { cashierProcedure, router } from './init';

export const stockOutsRouter = router({
  list: cashierProcedure.input(listSoldOutInput).query(({ ctx, input }) => listSoldOut(ctx, input)),
  mark: cashierProcedure.input(markSoldOutInput).mutation(({ ctx, input }) => markSoldOut(ctx, input)),
  restore: cashierProcedure.input(restoreSoldOutInput).mutation(({ ctx, input }) => restoreSoldOut(ctx, input)),
});
