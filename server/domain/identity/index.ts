/** Who a customer is: located by id, phone or e-mail, with PIN and session. */

export { readCustomers, sendCustomerEvents } from './customer-events';
export { forgetImported } from './forget-imported';
export {
  type CustomerKeyKind,
  customerCondition,
  customerKey,
  customerKeyKinds,
  customerMerged,
  customerNotFound,
  displayNameOf,
  findKeptId,
  fullName,
  identitiesOf,
  keptId,
} from './locate';
export { lockCustomer } from './lock';
export { placeOfPhone, toE164 } from './phone';
export { checkPin, guessPin, pinMissing, randomPin, replacePin } from './pin';
export { displayName, maskPhone } from './rules';
export {
  birthdayFields,
  birthdayOf,
  type Customer,
  type CustomerRef,
  customer,
  email,
  isNewTag,
  isYearless,
  maxTags,
  type Profile,
  phone,
  splitTags,
  tags,
} from './schemas';
export { matchesSearch, maxMatches } from './search';
export {
  type Diner,
  type DinerCustomer,
  endSessions,
  findDiner,
  openSession,
  sessionEnd,
  sessionSeconds,
  signOut,
  type Visitor,
} from './session';
