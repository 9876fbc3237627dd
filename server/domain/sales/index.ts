/** Sales of a till. */

export { type SaleOutput, saleInput, saleOutput } from './schemas';
export { submitSale } from './submit';
