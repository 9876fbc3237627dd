/** Figures of the home screen and the reports, summed by day. */

export { type Attention, type Figures, homeFigures, needsAttention } from './home';
export { liabilityReport, type Movement, pointsReport, type StoreMovement } from './ledger-report';
export { rollUpReports } from './roll-up';
export { type DayTakings, salesByDayAndStore, salesReport, type Takings } from './sales-report';
export { type Period, periodInput, type ReportInput, reportInput } from './schemas';
export { voucherReport } from './voucher-report';
