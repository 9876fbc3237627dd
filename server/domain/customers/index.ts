/** What a customer has at a merchant, and what staff, tills and the customer change about it. */

export { listLedger, listSales } from './activity';
export { adjustBalance } from './adjust';
export { balancesOutput, enrolOutput } from './balance-schemas';
export { balancesByEmail, balancesById, balancesByPhone } from './balances';
export { blockCustomer, unblockCustomer } from './block';
export { editCustomer } from './edit';
export { checkProfile, enrolByStaff, enrolCustomer, enrolFromSale, fieldTaken, insertCustomer } from './enrol';
export { eraseCustomer } from './erase';
export { findCustomer } from './find';
export { forgetPin, resetPin } from './forget-pin';
export { listLots, listVouchers } from './history';
export { listCustomers } from './list';
export { mergeCustomers, previewMerge } from './merge';
export { setOwnName } from './name-oneself';
export { addNote, editNote, listNotes, removeNote } from './notes';
export { optPhoneOut, setMessagesByStaff, setOwnMessages } from './opt-out';
export { getCustomer } from './profile';
export {
  type AdjustInput,
  addNoteInput,
  adjustInput,
  blockInput,
  customerFilter,
  editCustomerInput,
  editNoteInput,
  enrolInput,
  findCustomerInput,
  forgetPinInput,
  forgetPinOutput,
  historyInput,
  listCustomersInput,
  mergedInput,
  mergeInput,
  noteInput,
  oneCustomerInput,
  ownNameInput,
  profileInput,
  setMessagesInput,
  updateCustomerInput,
  voucherHistoryInput,
  wantsMessagesInput,
} from './schemas';
export { listTags } from './tags';
export { removeMergedPhone, undoMerge } from './undo-merge';
export { updateCustomer } from './update';
