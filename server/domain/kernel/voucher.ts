import { z } from 'zod';
import { instant, money, moneyOrZero } from './schemas';
import { isPercentage, voucherUnitNames, voucherUnits } from './voucher-units';

const discounts = voucherUnitNames.map((unit) => `\`${unit}\`: ${voucherUnits[unit].discount}.`);
const percentages = voucherUnitNames.filter(isPercentage).map((unit) => `\`${unit}\``);

export const voucherUnit = z.enum(voucherUnitNames).describe(`Discount type. ${discounts.join(' ')}`);

export const voucherCode = z
  .string()
  .describe('Easy to read out and type. Letter case, spaces and dashes do not matter.');

export const voucher = z
  .object({
    voucherCode,
    name: z.string(),
    unit: voucherUnit,
    value: z
      .number()
      .positive()
      .describe(`Percent for ${percentages.join(' and ')}, minor units for the others.`),
    plus: z
      .array(z.string())
      .describe('Item vouchers: the PLUs it applies to. Letter case matters. Empty for bill vouchers.'),
    minSpend: moneyOrZero().describe('Minimum bill amount.'),
    maxDiscount: money().nullable().describe('Maximum discount. Null: no limit.'),
    maxUnits: z
      .int()
      .min(1)
      .describe(
        'Item vouchers: the maximum number of discounted units. The most expensive come first. 0.5 of a weighed item is half a unit.',
      ),
    stackable: z.boolean().describe('True if it can be combined with other vouchers on one bill.'),
    issuedAt: instant,
    expiresAt: instant.nullable(),
  })
  .meta({ id: 'Voucher' });
export type Voucher = z.infer<typeof voucher>;
