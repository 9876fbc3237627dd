/** Open bills at tables, as their tills send them: what was redeemed and paid on each, and what is due. */

export { sendBillUpdate } from './bill-events';
export { closeBill, voidBill } from './close';
export { billEndedAt, hasEndedBill } from './codes';
export { describeBill } from './describe';
export { exportPayments } from './export-payments';
export { closeForgottenBills } from './forgotten';
export { findBillUidAt, getBill, readBill, versionOfBill } from './get';
export { numberGuests } from './guests';
export { listBills } from './list';
export {
  type BillName,
  type BillRow,
  figuresOfBill,
  findBill,
  findBillByUid,
  type LoadedBill,
  loadBill,
  lockBillAt,
  lockBillByUid,
  lockBillOf,
  requireBill,
  requireBillByUid,
} from './load';
export { canTakeBack, checkAvailable, checkExpectedDue, checkNotSettling, requireOpenBill } from './open';
export { readOpenBills, sumOpenBills } from './open-now';
export { listOverpaidBills, type OverpaidBill, settleOverpaidBill } from './overpaid';
export { cancelBillPayment, checkBillPayment, payBill } from './pay';
export { findPayment, paymentNotFound, refundPayment, releaseExcessHolds } from './payments';
export { clearPointsDue, takeBackPointsTask } from './points-due';
export { redeemedVouchers, toPriceable } from './priceable';
export { putBill } from './put';
export { listRefusedRefunds, type RefusedRefund } from './refused-refunds';
export { releaseBillPayment, releaseBillPaymentByStaff } from './release';
export { reopenBill } from './reopen';
export { returnedOf } from './rules';
export {
  type Bill,
  bill,
  billListInput,
  billPaymentInput,
  closeBillInput,
  exportPaymentsInput,
  getBillInput,
  payBillInput,
  putBillInput,
  type RedemptionType,
  type RefundBillPaymentInput,
  type RefundByStaffInput,
  redemptionType,
  refundBillPaymentInput,
  refundByStaffInput,
  releaseBillPaymentInput,
  releaseByStaffInput,
  reopenBillInput,
  settleOverpaidInput,
  settlingInput,
  staffBillInput,
  tableBillInput,
  voidBillInput,
} from './schemas';
export { endPaymentsOf, settleBillPayment, settleOverdueBillPayments, settlePayment } from './settle';
export { beginSettling } from './settling';
export { takenAtTill } from './sold';
export type { SoldPart } from './sold-parts';
export { getBillStory } from './story';
export { checkSums, toIncludedTax } from './sums';
export { type BillSummary, countUnitsOf, getTableBill, summarizeBillOf } from './table-bill';
export { findBillsOf, sendVoidedBills } from './voided';
export { endsNumber, isOnBill, isSoldOn, type Moment, sameBillMs } from './window';
export { billClosed, closeForgotten, endBill, isSettled, isSoldAgain, noteOverpaid, overpaidAfter } from './write';
