import { z } from 'zod';
import { transactionAnswer } from '../engine/schemas';
import { customerRef } from '../identity/schemas';
import {
  maxMoney,
  money,
  moneyOrZero,
  pin,
  plu,
  signedMoney,
  signedQuantity,
  signsAgree,
  signsProblem,
  text,
  transactionFields,
} from '../kernel/schemas';
import { voucherCode, voucherUnit } from '../kernel/voucher';

export const billLine = z
  .strictObject({
    plu,
    quantity: signedQuantity,
    unitPrice: moneyOrZero().describe('Price of one unit, in minor units.'),
    amount: signedMoney
      .optional()
      .describe(
        'What the guest pays for the line, in minor units, such as a happy-hour price. Below zero where `quantity` is. ' +
          'Default: quantity × unitPrice.',
      ),
  })
  .refine(signsAgree, signsProblem);

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
