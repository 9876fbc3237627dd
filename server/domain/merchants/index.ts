/** The business, its stores and settings. */

export { getBusiness, readBusiness, type TaxRules } from './business';
export { closeMerchant, openMerchant } from './close';
export { isAboveConfirmed, requireConfirmedFor } from './confirm-above';
export { defaultLimits } from './default-limits';
export { refreshEventTypes } from './event-types';
export { findMoved, hasLeft, listMovedKeys, originsOfMoved } from './find-moved';
export {
  changeInTurn,
  clockOf,
  findMerchant,
  findMerchantEvenClosed,
  lockMerchant,
  readMerchant,
  readMerchantNow,
  withMerchantClock,
  withMerchantClockById,
} from './merchant';
export { describeMove, elsewhere, ensureAtHome, ensureNobodyMoves, keepReferences } from './moved';
export {
  type AdvanceClockInput,
  advanceClockInput,
  apiKeyInput,
  type ChangeSettingsInput,
  type CreateApiKeyInput,
  changeSettingsInput,
  changeStoreInput,
  createApiKeyInput,
  createStoreInput,
  isStoreListed,
  type ListApiKeysInput,
  type ListApiRequestsInput,
  listApiKeysInput,
  listApiRequestsInput,
  maxAheadSeconds,
  merchantProfile,
  type RotateApiKeyInput,
  rotateApiKeyInput,
  type SandboxClockInput,
  type SandboxClockOutput,
  type SetKeyAccessInput,
  type SetKeyLimitsInput,
  type StoreDetails,
  sandboxClockInput,
  sandboxClockOutput,
  setKeyAccessInput,
  setKeyLimitsInput,
  setPinRequiredInput,
  storeFilter,
  storeInput,
} from './schemas';
export {
  changeSettings,
  checkCategoryIds,
  checkCountry,
  getSettings,
  pinCoverage,
  setPinRequired,
  settingsChoices,
} from './settings';
export {
  checkNamedStore,
  checkStoreIds,
  noSuchStore,
  openStore,
  requestedStore,
  requestedStoreCode,
  requestedStoreCodeIfAny,
  storeNotFound,
  storesOfKey,
} from './store';
export { readStoreDays } from './store-days';
export { changeStore, closeStore, createStore, listStores, reopenStore } from './stores';
export { knownTimeZones } from './time-zones';
