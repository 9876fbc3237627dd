/** What the payment service reports of card payments. */

export { followReport } from './follow-report';
export { differenceAction, reconcileCardPayments } from './reconcile';
