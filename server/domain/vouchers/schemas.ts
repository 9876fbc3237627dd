import { z } from 'zod';
import { problem } from '../core/say';
import { instant, maxMoney, money, moneyOrZero, pin, text, transactionFields } from '../core/schemas';
import { customerRef } from '../customers/schemas';
import { transactionAnswer } from '../transactions/schemas';

export const voucherUnit = z
  .enum(['BillDollarValue', 'BillDollarPercentage', 'ItemDollarValue', 'ItemDollarPercentage'])
  .describe('Discount type: a fixed amount or a percentage, off the bill or off items.');
export type VoucherUnit = z.infer<typeof voucherUnit>;
export const isPercentage = (unit: VoucherUnit): boolean => unit.endsWith('Percentage');
export const isForItems = (unit: VoucherUnit): boolean => unit.startsWith('Item');

const voucherCode = z.string().describe('Easy to read out and type. Letter case, spaces and dashes do not matter.');

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

export const plu = text(64).describe('Price look-up code of the item.');
export const quantity = z
  .number()
  .positive()
  .max(100_000)
  .refine((value) => Number(value.toFixed(3)) === value, problem('threeDecimals'))
  .describe('Number of units, or weight. Up to three decimals.');

export const billLine = z.strictObject({
  plu,
  quantity,
  unitPrice: moneyOrZero().describe('Price of one unit, in minor units.'),
});
export type BillLine = z.infer<typeof billLine>;

export const bill = z.strictObject({
  amount: z.int().min(1).max(maxMoney).describe('Bill amount before the voucher, in minor units.'),
  lines: z.array(billLine).max(500).optional().describe('Required for item vouchers.'),
});
export type Bill = z.infer<typeof bill>;

export const redeemVoucherInput = z.strictObject({
  ...transactionFields,
  customer: customerRef,
  voucherCode: text(32).describe('The code as printed. Letter case, spaces and dashes do not matter.'),
  bill,
  pin: pin.optional(),
  dryRun: z
    .boolean()
    .optional()
    .describe('Calculate the discount without redeeming. The voucher and the `transactionId` stay unused.'),
});
export type RedeemVoucherInput = z.infer<typeof redeemVoucherInput>;

export const redeemVoucherOutput = z
  .object({
    ...transactionAnswer,
    status: z.enum(['completed', 'dryRun']),
    type: z.literal('redeemVoucher'),
    voucherCode,
    unit: voucherUnit,
    discount: z.object({
      amount: money().describe('The discount on the bill.'),
      lines: z
        .array(z.object({ index: z.int().min(0), plu: z.string(), amount: moneyOrZero() }))
        .describe('The discount by line. The parts add up to `amount`. Empty if the request had no lines.'),
    }),
    billAmountAfter: moneyOrZero(),
  })
  .meta({ id: 'VoucherRedemption' });
export type RedeemVoucherOutput = z.infer<typeof redeemVoucherOutput>;
