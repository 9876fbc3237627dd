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
export { toPriceable } from './priceable';
export { putBill } from './put';
export {
  bill,
  billListInput,
  closeBillInput,
  getBillInput,
  putBillInput,
  redemptionType,
  staffBillInput,
  voidBillInput,
} from './schemas';
export { checkSums } from './sums';
export { sendVoidedBills } from './voided';
