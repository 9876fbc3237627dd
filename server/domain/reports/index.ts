/** Figures of the home screen and the reports, summed by day. */

export { balancesReport, type CustomerBalance } from './balances-report';
export { type CreditReport, creditReport } from './credit-report';
export { getDailySummary, sendDailySummaries, setDailySummary } from './daily-summary';
export { storeDateAt } from './facts';
export { type Attention, type Figures, homeFigures, needsAttention } from './home';
export { liabilityReport, type Movement, pointsReport, type StoreMovement } from './ledger-report';
export { paymentsByDayAndStore, paymentsReport } from './payments-report';
export { openReport } from './reading';
export { rollUpReports } from './roll-up';
export { type SalesPart, salesBreakdown } from './sales-breakdown';
export { type DayTakings, salesByDayAndStore, salesReport, type Takings } from './sales-report';
export {
  balancesInput,
  breakdownInput,
  dailySummaryInput,
  type Period,
  periodInput,
  type ReportInput,
  reportInput,
} from './schemas';
export { voucherReport } from './voucher-report';
