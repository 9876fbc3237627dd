/** What the payment service reports of card payments. */

export { followReport } from './follow-report';
export { listPayouts, type Payout } from './payouts';
export { reconcileCardPayments } from './reconcile';
export { payoutsInput } from './schemas';
