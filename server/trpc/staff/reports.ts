import { liabilityReport, pointsReport } from '@/server/domain/reports/ledger-report';
import { salesReport } from '@/server/domain/reports/sales-report';
import { periodInput, reportInput } from '@/server/domain/reports/schemas';
import { voucherReport } from '@/server/domain/reports/voucher-report';
import { managerProcedure, router } from './init';

export const reportsRouter = router({
  liability: managerProcedure.input(reportInput).query(({ ctx, input }) => liabilityReport(ctx, input)),
  sales: managerProcedure.input(reportInput).query(({ ctx, input }) => salesReport(ctx, input)),
  vouchers: managerProcedure.input(periodInput).query(({ ctx, input }) => voucherReport(ctx, input)),
  points: managerProcedure.input(reportInput).query(({ ctx, input }) => pointsReport(ctx, input)),
});
