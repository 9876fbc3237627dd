/** Finished transactions: lists, detail, look-up, voids. */

export { getTransaction } from './detail';
export { listTransactions } from './list';
export { lookUpTransaction } from './lookup';
export { refundBillPayment, refundBillPaymentByStaff } from './refund-bill-payment';
export { refundPart } from './refund-part';
export {
  listTransactionsInput,
  refundPartInput,
  staffVoidInput,
  staffVoidPreviewInput,
  transactionFilter,
  transactionLookupInput,
  transactionLookupOutput,
  transactionUid,
  voidInput,
  voidOutput,
} from './schemas';
export { takeBackRedemption } from './take-back';
export { takeBackPoints } from './take-back-points';
export { voidTransactions } from './void';
export { planBatch, writeVoids } from './void-batch';
export { previewVoid, voidByStaff } from './void-by-staff';
export { type VoidRow, voidRowColumns } from './void-rows';
