/** What staff took at the counter, and what was counted of it. */
export { type CashUpDay, type CashUpLine, type ClosedShift, cashUpDay } from './report';
export { type CashUpDayInput, cashUpDayInput, closeShiftInput, correctCashUpInput, openShiftInput } from './schemas';
export { closeShift, correctCashUp, getOpenShift, type OpenShift, type ShiftLine } from './shift';
