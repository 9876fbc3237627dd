/**
 * The types of a voucher's discount. The enum, the CHECKs, the API's schema, forms, texts and prices follow from this
 * list, in which each unit says all that does not have to be computed.
 */
export const voucherUnits = {
  BillDollarValue: { target: 'bill', value: 'amount', discount: '`value` off the bill' },
  BillDollarPercentage: {
    target: 'bill',
    value: 'percentage',
    discount: 'a percentage of the bill, up to `maxDiscount`',
  },
  ItemDollarValue: {
    target: 'items',
    value: 'amount',
    discount: '`value` off each unit, never more than its price',
  },
  ItemDollarPercentage: { target: 'items', value: 'percentage', discount: 'a percentage of each unit' },
} as const satisfies Record<string, UnitTerms>;

interface UnitTerms {
  /** What is discounted: the bill, or the items of `plus`. */
  target: 'bill' | 'items';
  /** What `value` is: minor units, or (stored) hundredths of a percent. */
  value: 'amount' | 'percentage';
  /** For the API reference and the guide. */
  discount: string;
}

export type VoucherUnit = keyof typeof voucherUnits;
export const voucherUnitNames = Object.keys(voucherUnits) as [VoucherUnit, ...VoucherUnit[]];

export const isPercentage = (unit: VoucherUnit): boolean => voucherUnits[unit].value === 'percentage';
export const isForItems = (unit: VoucherUnit): boolean => voucherUnits[unit].target === 'items';
