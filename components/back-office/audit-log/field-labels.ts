/** The labels of fields, as in their edit forms. A key includes the subject where the field's meaning depends on it. */
export const fieldLabels = {
  allStores: 'common.allStores',
  name: 'common.name',
  reason: 'common.reason',
  status: 'common.status',
  storeId: 'common.store',
  storeIds: 'common.stores',
  until: 'stockOuts.howLong',

  balanceLimit: 'settings.balanceLimit',
  clockAheadSeconds: 'settings.clockAheadSeconds',
  country: 'settings.country',
  currency: 'settings.currency',
  earnPerAmount: 'settings.earnPerAmount',
  earnPoints: 'settings.earnPoints',
  enrolOnSale: 'settings.enrolOnSale',
  locale: 'settings.locale',
  minRedeemPoints: 'settings.minRedeemPoints',
  pinRequired: 'settings.pinRequired',
  pointsExpiryMonths: 'settings.pointsExpiryMonths',
  pointValue: 'settings.pointValue',
  privacyUrl: 'settings.privacyUrl',
  timeZone: 'settings.timeZone',

  body: 'messages.body',
  isOn: 'messages.isOn',
  language: 'messages.language',
  'merchant.kind': 'messages.message',
  quietFrom: 'messages.quietFrom',
  quietUntil: 'messages.quietUntil',
  templateName: 'messages.templateName',
  wantsMessages: 'customers.wantsMessages',

  role: 'staff.role',
  storeCode: 'stores.code',

  'customer.amount': 'customers.amount',
  part: 'customers.part',

  billId: 'qrCodes.bill',
  guests: 'qrCodes.guests',
  receiptNumber: 'transactions.receipt',
  table: 'qrCodes.table',

  bonusAmount: 'packages.bonusAmount',
  bonusBasisPoints: 'packages.bonusPercent',
  bonusExpiresInDays: 'packages.bonusExpiry',
  kind: 'packages.kind',
  maxAmount: 'packages.maxAmount',
  minAmount: 'packages.minAmount',
  'package.amount': 'packages.amount',
  validFrom: 'packages.firstDay',
  validUntil: 'packages.lastDay',

  'campaign.plus': 'vouchers.items',
  daysBefore: 'vouchers.daysBefore',
  maxDiscount: 'vouchers.maxDiscount',
  maxUnits: 'vouchers.maxUnits',
  minSpend: 'vouchers.minSpend',
  perCustomerLimit: 'vouchers.perCustomerLimit',
  seasonalOn: 'vouchers.seasonalOn',
  stackable: 'vouchers.stackable',
  totalLimit: 'vouchers.totalLimit',
  trigger: 'vouchers.trigger',
  unit: 'vouchers.unit',
  validityDays: 'vouchers.validityDays',

  allergens: 'menu.allergens',
  categoryId: 'menu.category',
  description: 'menu.itemDescription',
  maximum: 'menu.maximum',
  minimum: 'menu.minimum',
  optionGroupIds: 'menu.optionGroups',
  options: 'menu.options',
  photoId: 'menu.photo',
  plu: 'menu.plu',
  plus: 'menu.plu',
  price: 'menu.price',
  translations: 'menu.translations',
} as const;

/** Returns null for a field without a label. */
export function labelOf(subjectKind: string, field: string): (typeof fieldLabels)[keyof typeof fieldLabels] | null {
  const key = [`${subjectKind}.${field}`, field].find((one) => Object.hasOwn(fieldLabels, one));
  return key === undefined ? null : fieldLabels[key as keyof typeof fieldLabels];
}
