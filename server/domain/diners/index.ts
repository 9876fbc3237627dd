/** A diner's sign-in and account on the phone, and redemptions at a table. */

export { type Account, getAccount } from './account';
export { codesLimitAction } from './code-limits';
export { requestCode, requestPinCode } from './codes';
export { forgetDiners } from './forget';
export { getHistory, type HistoryItem } from './history';
export { describeDiner, joinProgramme, verifyCode } from './identify';
export { setPin } from './pin';
export { getReceipt, type Receipt } from './receipt';
export { redeemOnBill, takeBackOnBill } from './redeem-on-bill';
export {
  billOffersInput,
  cartInput,
  codeProof,
  codeRequest,
  dinerHistoryInput,
  joinInput,
  pinInput,
  receiptInput,
  redeemOnBillInput,
  takeBackInput,
} from './schemas';
export { sendBillReceipt, sendsReceipts } from './send-receipt';
export { type CartBenefits, getBillOffers, getCartBenefits } from './table-offers';
