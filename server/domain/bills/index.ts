/** Open bills at tables, as their tills send them: what was redeemed and paid on each, and what is due. */

export { closeBill, voidBill } from './close';
export { findOpenBills, hasEndedBill } from './codes';
export { exportPayments } from './export-payments';
export { closeForgottenBills } from './forgotten';
export { getBill, readBill, versionOfBill } from './get';
export { numberGuests } from './guests';
export { listBills } from './list';
export { requireBill, sameBillMs } from './load';
export {
  checkClosable,
  checkDue,
  closeSoldBill,
  countRedemption,
  loadNamedBills,
  type NamedBills,
  priceableBill,
  sendRedeemedBills,
} from './named-bills';
export { canTakeBack, requireOpenBill } from './open';
export { cancelBillPayment, checkBillPayment, payBill } from './pay';
export { toPriceable } from './priceable';
export { putBill } from './put';
export { refundBillPayment, refundBillPaymentByStaff } from './refund';
export { listRefusedRefunds, type RefusedRefund } from './refused-refunds';
export {
  bill,
  billListInput,
  billPaymentInput,
  closeBillInput,
  exportPaymentsInput,
  getBillInput,
  payBillInput,
  putBillInput,
  type RedemptionType,
  redemptionType,
  refundBillPaymentInput,
  refundByStaffInput,
  staffBillInput,
  tableBillInput,
  voidBillInput,
} from './schemas';
export { settleBillPayment, settleOverdueBillPayments } from './settle';
export { getBillStory } from './story';
export { checkSums } from './sums';
export { type BillSummary, getTableBill, summarizeBillOf } from './table-bill';
export { openBillsOf, sendVoidedBills } from './voided';
