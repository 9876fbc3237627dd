/** Limits on what sales and top-ups give in a day. */
export {
  checkEarningSale,
  countGain,
  dayOfGains,
  keyLimitOf,
  LimitExceeded,
  limitAction,
  refusalByKey,
  reportLimit,
  sendKeyGains,
  valueLeftToday,
} from './daily-limits';
export { countForStaff, findStaffLimit, isStaffLimit, staffValueLeft, withStaffLimits } from './staff-limits';
