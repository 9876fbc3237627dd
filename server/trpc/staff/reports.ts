import {
  liabilityReport,
  periodInput,
  pointsReport,
  reportInput,
  salesReport,
  voucherReport,
} from '@/server/domain/reports';
import { managerProcedure, router } from './init';

export const reportsRouter = router({
  liability: managerProcedure.input(reportInput).query(({ ctx, input }) => liabilityReport(ctx, input)),
  sales: managerProcedure.input(reportInput).query(({ ctx, input }) => salesReport(ctx, input)),
  vouchers: managerProcedure.input(periodInput).query(({ ctx, input }) => voucherReport(ctx, input)),
  points: managerProcedure.input(reportInput).query(({ ctx, input }) => pointsReport(ctx, input)),
});
