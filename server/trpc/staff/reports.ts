import { listPayouts, payoutsInput } from '@/server/domain/card-payments';
import type { StaffContext } from '@/server/domain/kernel/context';
import {
  balancesInput,
  balancesReport,
  breakdownInput,
  busyHours,
  creditReport,
  dailySummaryInput,
  getDailySummary,
  liabilityReport,
  openReport,
  paymentsReport,
  periodInput,
  pointsReport,
  reportInput,
  salesOfPart,
  salesPartInput,
  salesReport,
  setDailySummary,
  shownBreakdown,
  voidsByActor,
  voidsInput,
  voidsReport,
  voucherEffect,
  voucherReport,
} from '@/server/domain/reports';
import { generalManagerProcedure, managerProcedure, router } from './init';

/** Adds when the report's figures were current if it was read from a replica; null otherwise. */
async function read<Report extends object>(staff: StaffContext, report: (ctx: StaffContext) => Promise<Report>) {
  const { ctx, asOf } = await openReport(staff);
  return { ...(await report(ctx)), asOf };
}

/** For the parts that a screen shows below such a report. */
const readPart = async <Part>(staff: StaffContext, report: (ctx: StaffContext) => Promise<Part>) =>
  report((await openReport(staff)).ctx);

export const reportsRouter = router({
  liability: managerProcedure
    .input(reportInput)
    .query(({ ctx, input }) => read(ctx, (reading) => liabilityReport(reading, input))),
  sales: managerProcedure
    .input(reportInput)
    .query(({ ctx, input }) => read(ctx, (reading) => salesReport(reading, input))),
  payments: managerProcedure
    .input(reportInput)
    .query(({ ctx, input }) => read(ctx, (reading) => paymentsReport(reading, input))),
  payouts: generalManagerProcedure.input(payoutsInput).query(({ ctx, input }) => listPayouts(ctx, input)),
  breakdown: managerProcedure
    .input(breakdownInput)
    .query(({ ctx, input }) => readPart(ctx, (reading) => shownBreakdown(reading, input))),
  part: managerProcedure
    .input(salesPartInput)
    .query(({ ctx, input }) => readPart(ctx, (reading) => salesOfPart(reading, input))),
  busyHours: managerProcedure
    .input(reportInput)
    .query(({ ctx, input }) => readPart(ctx, (reading) => busyHours(reading, input))),
  voids: managerProcedure
    .input(voidsInput)
    .query(({ ctx, input }) => read(ctx, (reading) => voidsReport(reading, input))),
  voidsByActor: managerProcedure
    .input(reportInput)
    .query(({ ctx, input }) => readPart(ctx, (reading) => voidsByActor(reading, input))),
  credit: generalManagerProcedure.query(({ ctx }) => readPart(ctx, creditReport)),
  balances: generalManagerProcedure
    .input(balancesInput)
    .query(({ ctx, input }) => read(ctx, (reading) => balancesReport(reading, input))),
  dailySummary: generalManagerProcedure.query(({ ctx }) => getDailySummary(ctx)),
  setDailySummary: generalManagerProcedure
    .input(dailySummaryInput)
    .mutation(({ ctx, input }) => setDailySummary(ctx, input)),
  vouchers: generalManagerProcedure
    .input(periodInput)
    .query(({ ctx, input }) => read(ctx, (reading) => voucherReport(reading, input))),
  voucherEffect: generalManagerProcedure
    .input(periodInput)
    .query(({ ctx, input }) => readPart(ctx, (reading) => voucherEffect(reading, input))),
  points: managerProcedure
    .input(reportInput)
    .query(({ ctx, input }) => read(ctx, (reading) => pointsReport(reading, input))),
});
