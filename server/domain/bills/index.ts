/** Open bills at tables, as their tills send them: what was redeemed and paid on each, and what is due. */

export { sendBillUpdate } from './bill-events';
export { closeBill, voidBill } from './close';
export { findOpenBills, hasEndedBill } from './codes';
export { exportPayments } from './export-payments';
export { closeForgottenBills } from './forgotten';
export { getBill, readBill, versionOfBill } from './get';
export { numberGuests } from './guests';
export { listBills } from './list';
export {
  type BillName,
  figuresOfBill,
  findBill,
  type LoadedBill,
  loadBill,
  requireBill,
  sameBillMs,
} from './load';
export { canTakeBack, checkAvailable, checkExpectedDue, checkNotSettling, isOnBill, requireOpenBill } from './open';
export { listOverpaidBills, type OverpaidBill } from './overpaid';
export { cancelBillPayment, checkBillPayment, payBill } from './pay';
export { releaseExcessHolds } from './payments';
export { toPriceable } from './priceable';
export { putBill } from './put';
export { refundBillPayment, refundBillPaymentByStaff } from './refund';
export { listRefusedRefunds, type RefusedRefund } from './refused-refunds';
export { releaseBillPayment, releaseBillPaymentByStaff } from './release';
export { reopenBill } from './reopen';
export { isAllSold, type SoldPart } from './rules';
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
  releaseBillPaymentInput,
  releaseByStaffInput,
  reopenBillInput,
  settlingInput,
  staffBillInput,
  tableBillInput,
  voidBillInput,
} from './schemas';
export { endPaymentsOf, settleBillPayment, settleOverdueBillPayments } from './settle';
export { beginSettling } from './settling';
export { takenAtTill } from './sold';
export { getBillStory } from './story';
export { checkSums, toIncludedTax } from './sums';
export { type BillSummary, getTableBill, summarizeBillOf } from './table-bill';
export { findBillsOf, sendVoidedBills } from './voided';
export { billClosed, endBill, noteOverpaid, overpaidAfter } from './write';
