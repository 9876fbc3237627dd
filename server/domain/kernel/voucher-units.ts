/** What a voucher's unit decides, for browsers, too. */
import { isPercentage, type VoucherUnit } from '@/db/kinds/voucher-units';

export { isForItems, isPercentage, type VoucherUnit, voucherUnitNames, voucherUnits } from '@/db/kinds/voucher-units';

interface Valued {
  unit: VoucherUnit;
  value: number;
}

/** Converts a value as campaigns have it to one of the API: percent instead of hundredths of a percent. */
export const publicValue = ({ unit, value }: Valued): number => (isPercentage(unit) ? value / 100 : value);

/** Converts a value of the API to one as campaigns have it. */
export const storedValue = ({ unit, value }: Valued): number => (isPercentage(unit) ? Math.round(value * 100) : value);
