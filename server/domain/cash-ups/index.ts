/** What staff took at the counter, and what was counted of it. */
export { cashUpDay } from './report';
export { cashUpDayInput, closeShiftInput, correctCashUpInput, openShiftInput } from './schemas';
export { closeShift, correctCashUp, getOpenShift } from './shift';
