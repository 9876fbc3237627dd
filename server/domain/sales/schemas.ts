import { z } from 'zod';
import { customerRef } from '../customers/schemas';
import { transactionAnswer } from '../engine/schemas';
import { givenInstant, maxMoney, moneyOrZero, plu, quantity, text, transactionFields } from '../kernel/schemas';
import { voucher } from '../kernel/voucher';
import { pointsBalance } from '../points/schemas';

const saleLine = z.strictObject({
  plu,
  name: text(200),
  quantity,
  unitPrice: moneyOrZero().describe('Price of one unit, in minor units.'),
  amount: moneyOrZero().describe('Amount of the line, in minor units.'),
});

const payment = z.strictObject({
  method: text(64).describe("The POS's name of the payment method, such as `cash`, `visa` or `stored-value`."),
  amount: moneyOrZero(),
});

export const saleInput = z.strictObject({
  ...transactionFields,
  customer: customerRef.optional().describe('The customer. A sale without a customer is kept but earns no points.'),
  lines: z.array(saleLine).min(1).max(500),
  subtotal: moneyOrZero().describe('Must equal the sum of the amounts of `lines`, in minor units.'),
  discount: moneyOrZero().describe('Amount deducted from the subtotal.'),
  serviceCharge: moneyOrZero(),
  tax: moneyOrZero(),
  rounding: z.int().min(-maxMoney).max(maxMoney).optional().describe('Cash rounding, up or down.'),
  total: moneyOrZero().describe('Must equal subtotal − discount + serviceCharge + tax + rounding.'),
  payments: z.array(payment).max(50).describe('The amounts must add up to `total`.'),
  closedAt: givenInstant().describe(
    'When the bill was settled (RFC 3339 with offset). For the record only. Points are earned as of `occurredAt`.',
  ),
});
export type SaleInput = z.infer<typeof saleInput>;

export const saleOutput = z
  .object({
    ...transactionAnswer,
    customerId: z.uuid().nullable(),
    type: z.literal('sale'),
    pointsEarned: z.int().min(0),
    points: pointsBalance.nullable().describe('The balance after the sale. Null without a customer.'),
    vouchersIssued: z.array(voucher).describe('Vouchers issued for joining, if the sale enrolled the customer.'),
  })
  .meta({ id: 'Sale' });
export type SaleOutput = z.infer<typeof saleOutput>;
