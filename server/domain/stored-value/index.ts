/** Stored value: packages, credits, redemptions. */

export { cashOut, cashOuts, selectCashable } from './cash-out';
export { creditOnline, decideTopUp, queueReceipts, type TopUpTerms } from './credit';
export {
  createPackage,
  getManagedPackage,
  listManagedPackages,
  type ManagedPackage,
  reorderPackages,
  setPackageArchived,
  updatePackage,
} from './manage-packages';
export { type FoundPackage, findPackages, listPackages, selectOffersAt, selectOffersEverywhere } from './packages';
export { redeemStoredValue } from './redeem';
export { type CashableLot, checkBalanceLimit, priceTopUp } from './rules';
export {
  type CashOutOutput,
  cashOutInput,
  cashOutOutput,
  type PackageInput,
  packageIdInput,
  packageInput,
  packageListInput,
  packageOrderInput,
  packagesInput,
  packagesOutput,
  type RedeemOutput,
  redeemInput,
  redeemOutput,
  type StoredValuePackage,
  type TopUpInput,
  type TopUpOutput,
  topUpInput,
  topUpOutput,
} from './schemas';
