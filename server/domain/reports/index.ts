/** Figures of the home screen and the reports, summed by day. */

export { type Attention, needsAttention } from './attention';
export { balancesReport, type CustomerBalance } from './balances-report';
export { type CreditReport, creditReport } from './credit-report';
export { getDailySummary, sendDailySummaries, setDailySummary } from './daily-summary';
export { storeDateAt } from './facts';
export type { FirstSteps } from './first-steps';
export { type Figures, homeFigures } from './home';
export { liabilityReport, type Movement, pointsReport, type StoreMovement } from './ledger-report';
export { paymentsByDayAndStore, paymentsReport } from './payments-report';
export { openReport } from './reading';
export { rollUpReports } from './roll-up';
export {
  busyHours,
  type SalesPart,
  type ShownPart,
  salesBreakdown,
  salesOfPart,
  shownBreakdown,
} from './sales-breakdown';
export { type DayTakings, salesByDayAndStore, salesReport, type Takings } from './sales-report';
export {
  balancesInput,
  breakdownInput,
  dailySummaryInput,
  type Period,
  periodInput,
  type ReportInput,
  reportInput,
  type SalesPartInput,
  salesPartInput,
  voidsInput,
} from './schemas';
export { voidsByActor, voidsReport } from './voids-report';
export { type EffectGroup, voucherEffect } from './voucher-effect';
export { voucherReport } from './voucher-report';
