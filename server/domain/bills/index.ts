/** Open bills at tables, as their tills send them: what was redeemed and paid on each, and what is due. */

export { getBillStory, listBills } from './by-staff';
export { closeBill, voidBill } from './close';
export { getBill } from './get';
export { sameBillMs } from './load';
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
export { requireOpenBill } from './open';
export { cancelBillPayment, checkBillPayment, payBill } from './pay';
export { toPriceable } from './priceable';
export { putBill } from './put';
export {
  bill,
  billListInput,
  billPaymentInput,
  closeBillInput,
  getBillInput,
  payBillInput,
  putBillInput,
  redemptionType,
  staffBillInput,
  tableBillInput,
  voidBillInput,
} from './schemas';
export { settleBillPayment, settleOverdueBillPayments } from './settle';
export { checkSums } from './sums';
export { type BillSummary, getTableBill, summarizeBillOf } from './table-bill';
export { sendVoidedBills } from './voided';
