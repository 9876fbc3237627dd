import { z } from 'zod';
import { givenInstant, maxMoney, moneyOrZero, text, transactionFields } from '../core/schemas';
import { customerRef } from '../customers/schemas';
import { pointsBalance } from '../points/schemas';
import { transactionAnswer } from '../transactions/schemas';
import { plu, quantity, voucher } from '../vouchers/schemas';

const saleLine = z.strictObject({
  plu,
  name: text(200),
  quantity,
  unitPrice: moneyOrZero().describe('Price of one unit, in minor units.'),
  amount: moneyOrZero().describe('What the line comes to, in minor units.'),
});

const payment = z.strictObject({
  method: text(64).describe('In the terms of the POS: `cash`, `visa`, `stored-value` …'),
  amount: moneyOrZero(),
});

export const saleInput = z.strictObject({
  ...transactionFields,
  customer: customerRef.optional().describe('Who bought; a sale without a customer is kept and earns nothing.'),
  lines: z.array(saleLine).min(1).max(500),
  subtotal: moneyOrZero().describe('Sum of the goods, in minor units, as the POS reckons it.'),
  discount: moneyOrZero().describe('Taken off the subtotal.'),
  serviceCharge: moneyOrZero(),
  tax: moneyOrZero(),
  rounding: z.int().min(-maxMoney).max(maxMoney).optional().describe('Cash rounding, up or down.'),
  total: moneyOrZero().describe('subtotal − discount + serviceCharge + tax + rounding.'),
  payments: z.array(payment).max(50).describe('They add up to the total.'),
  closedAt: givenInstant().describe(
    'When the bill was settled (RFC 3339 with offset). Kept as it is: points count from `occurredAt`, by default now.',
  ),
});
export type SaleInput = z.infer<typeof saleInput>;

export const saleOutput = z
  .object({
    ...transactionAnswer,
    customerId: z.uuid().nullable(),
    type: z.literal('sale'),
    pointsEarned: z.int().min(0),
    points: pointsBalance.nullable().describe('The balance afterwards; null without a customer.'),
    vouchersIssued: z.array(voucher).describe('For joining, where the sale enrolled the customer.'),
  })
  .meta({ id: 'Sale' });
export type SaleOutput = z.infer<typeof saleOutput>;
