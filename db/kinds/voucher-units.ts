/**
 * The types of a voucher's discount. The enum, the CHECKs, the API's schema, forms, texts and prices follow from this
 * list. Each entry holds all that is constant about its unit.
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
  /** How to read `value`: as minor units, or (stored) as hundredths of a percent. */
  value: 'amount' | 'percentage';
  /** The description in the API reference and the guide. */
  discount: string;
}

export type VoucherUnit = keyof typeof voucherUnits;
export const voucherUnitNames = Object.keys(voucherUnits) as [VoucherUnit, ...VoucherUnit[]];

export const isPercentage = (unit: VoucherUnit): boolean => voucherUnits[unit].value === 'percentage';
export const isForItems = (unit: VoucherUnit): boolean => voucherUnits[unit].target === 'items';
