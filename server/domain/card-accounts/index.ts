/** Merchants' own accounts at the payment service. */

export { checkCardAccount } from './check';
export { type CardAccountView, connectCardAccount, getCardAccount, refreshCardAccount } from './connect';
