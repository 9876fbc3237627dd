/** Lots, entries and balances: the only code that moves value. */

export {
  type Account,
  applyTo,
  emptyAccount,
  type LotChange,
  lockAccounts,
  openAccounts,
  sumByPart,
  takeFrom,
} from './account';
export {
  type BalancePart,
  checkNotBlocked,
  Locked,
  loadSpendable,
  lockBalance,
  lockBalances,
  lockOptions,
  noValue,
  type OnLocked,
  sumsOf,
  type Value,
} from './balance';
export { sendBalanceEvents, writeBalanceEvents } from './balance-events';
export { checkOwesNothing, type Repayment, reduceDebts, repaymentsOf, sumOfDebts } from './debts';
export { expireValue, expireValueOf } from './expire';
export { findReplaced, listPartialRefunds, type RefundedPart } from './partial-refunds';
export { type EntryKind, type NewEntry, type NewLot, postEntries } from './post';
export { findViolation, verifyLedger } from './verify';
