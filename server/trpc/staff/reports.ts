import {
  balancesInput,
  balancesReport,
  breakdownInput,
  creditReport,
  dailySummaryInput,
  getDailySummary,
  liabilityReport,
  periodInput,
  pointsReport,
  reportInput,
  salesBreakdown,
  salesReport,
  setDailySummary,
  voucherReport,
} from '@/server/domain/reports';
import { generalManagerProcedure, managerProcedure, router } from './init';

export const reportsRouter = router({
  liability: managerProcedure.input(reportInput).query(({ ctx, input }) => liabilityReport(ctx, input)),
  sales: managerProcedure.input(reportInput).query(({ ctx, input }) => salesReport(ctx, input)),
  breakdown: managerProcedure.input(breakdownInput).query(({ ctx, input }) => salesBreakdown(ctx, input)),
  credit: generalManagerProcedure.query(({ ctx }) => creditReport(ctx)),
  balances: generalManagerProcedure.input(balancesInput).query(({ ctx, input }) => balancesReport(ctx, input)),
  dailySummary: generalManagerProcedure.query(({ ctx }) => getDailySummary(ctx)),
  setDailySummary: generalManagerProcedure
    .input(dailySummaryInput)
    .mutation(({ ctx, input }) => setDailySummary(ctx, input)),
  vouchers: generalManagerProcedure.input(periodInput).query(({ ctx, input }) => voucherReport(ctx, input)),
  points: managerProcedure.input(reportInput).query(({ ctx, input }) => pointsReport(ctx, input)),
});
