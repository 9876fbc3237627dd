import { z } from 'zod';
import { instant, money, moneyOrZero } from './schemas';

export const voucherUnit = z
  .enum(['BillDollarValue', 'BillDollarPercentage', 'ItemDollarValue', 'ItemDollarPercentage'])
  .describe('Discount type: a fixed amount or a percentage, off the bill or off items.');
export type VoucherUnit = z.infer<typeof voucherUnit>;

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
      .describe(
        'Minor units for the Dollar units, percent for the Percentage units. `ItemDollarValue` takes this amount off each ' +
          'unit, never more than its price.',
      ),
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
