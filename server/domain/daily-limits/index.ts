/** Limits on what sales and top-ups give in a day. */
export {
  checkCardTopUp,
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
export { ownCustomersAction, reportOwnCustomers } from './own-customers';
export { countSignUp } from './sign-up-limit';
export { countForStaff, findStaffLimit, isStaffLimit, staffValueLeft, withStaffLimits } from './staff-limits';
