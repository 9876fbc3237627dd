/** Sales of a till. */

export { type SaleOutput, saleInput, saleOutput, withReadableCustomer } from './schemas';
export { submitSale } from './submit';
