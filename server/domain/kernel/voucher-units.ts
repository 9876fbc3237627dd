/** What follows from a voucher's unit. Browsers use it, too. */
import { isPercentage, type VoucherUnit } from '@/db/kinds/voucher-units';

export { isForItems, isPercentage, type VoucherUnit, voucherUnitNames, voucherUnits } from '@/db/kinds/voucher-units';

interface Valued {
  unit: VoucherUnit;
  value: number;
}

/** Converts a campaign's stored value to the API's: percent instead of hundredths of a percent. */
export const publicValue = ({ unit, value }: Valued): number => (isPercentage(unit) ? value / 100 : value);

/** Converts a value of the API to a campaign's stored one. */
export const storedValue = ({ unit, value }: Valued): number => (isPercentage(unit) ? Math.round(value * 100) : value);
