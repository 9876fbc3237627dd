import {
  cashUpDay,
  cashUpDayInput,
  closeShift,
  closeShiftInput,
  correctCashUp,
  correctCashUpInput,
  getOpenShift,
  openShiftInput,
} from '@/server/domain/cash-ups';
import { cashierProcedure, managerProcedure, router } from './init';

export const cashUpsRouter = router({
  day: cashierProcedure.input(cashUpDayInput).query(({ ctx, input }) => cashUpDay(ctx, input)),
  openShift: managerProcedure.input(openShiftInput).query(({ ctx, input }) => getOpenShift(ctx, input)),
  close: managerProcedure.input(closeShiftInput).mutation(({ ctx, input }) => closeShift(ctx, input)),
  correct: managerProcedure.input(correctCashUpInput).mutation(({ ctx, input }) => correctCashUp(ctx, input)),
});
