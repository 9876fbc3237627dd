import { z } from 'zod';
import { problem } from '../core/say';
import { instant, maxMoney, money, moneyOrZero, pin, text, transactionFields } from '../core/schemas';
import { customerRef } from '../customers/schemas';
import { transactionAnswer } from '../transactions/schemas';

export const voucherUnit = z
  .enum(['BillDollarValue', 'BillDollarPercentage', 'ItemDollarValue', 'ItemDollarPercentage'])
  .describe('What the voucher takes off: a sum or a percentage, of the bill or of items.');
export type VoucherUnit = z.infer<typeof voucherUnit>;
export const isPercentage = (unit: VoucherUnit): boolean => unit.endsWith('Percentage');
export const isForItems = (unit: VoucherUnit): boolean => unit.startsWith('Item');

const voucherCode = z.string().describe('To be read out and typed; letter case, spaces and dashes do not matter.');

export const voucher = z
  .object({
    voucherCode,
    name: z.string(),
    unit: voucherUnit,
    value: z
      .number()
      .positive()
      .describe(
        'Minor units for the Dollar units, percent for the Percentage units. Of item units it is what comes off each unit, ' +
          'never more than its price.',
      ),
    plus: z
      .array(z.string())
      .describe('The items it is for (item units), letter case included; empty for the bill units.'),
    minSpend: moneyOrZero().describe('The least that the bill must come to.'),
    maxDiscount: money().nullable().describe('The most that it takes off; null: no limit.'),
    maxUnits: z
      .int()
      .min(1)
      .describe(
        'For how many units of its items it counts, dearest first (item units); 0.5 of a weighed item counts as half a unit.',
      ),
    stackable: z.boolean().describe('Whether it may be used on one bill with others.'),
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
  .describe('Units, or weight: up to three decimals.');

export const billLine = z.strictObject({
  plu,
  quantity,
  unitPrice: moneyOrZero().describe('Price of one unit, in minor units.'),
});
export type BillLine = z.infer<typeof billLine>;

export const bill = z.strictObject({
  amount: z.int().min(1).max(maxMoney).describe('What the bill comes to before the voucher, in minor units.'),
  lines: z.array(billLine).max(500).optional().describe('Needed for item vouchers.'),
});
export type Bill = z.infer<typeof bill>;

export const redeemVoucherInput = z.strictObject({
  ...transactionFields,
  customer: customerRef,
  voucherCode: text(32).describe('As printed; letter case, spaces and dashes do not matter.'),
  bill,
  pin: pin.optional(),
  dryRun: z
    .boolean()
    .optional()
    .describe('Compute the discount and change nothing: the voucher and the id stay unused.'),
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
      amount: money().describe('What the voucher takes off the bill.'),
      lines: z
        .array(z.object({ index: z.int().min(0), plu: z.string(), amount: moneyOrZero() }))
        .describe("Each line's part of it; the parts add up to the whole. Empty when the request had no lines."),
    }),
    billAmountAfter: moneyOrZero(),
  })
  .meta({ id: 'VoucherRedemption' });
export type RedeemVoucherOutput = z.infer<typeof redeemVoucherOutput>;
