import { z } from 'zod';
import { billLine, billSums, expectedDue } from '../bills/schemas';
import { transactionAnswer } from '../engine/schemas';
import { customerRef } from '../identity/schemas';
import { givenInstant, heldMoney, moneyOrZero, text, transactionFields } from '../kernel/schemas';
import { voucher } from '../kernel/voucher';
import { pointsBalance } from '../points/schemas';

const payment = z.strictObject({
  method: text(64).describe(
    "The POS's name of the payment method, such as `cash` or `visa`. Use `stored-value`, `points` and `voucher` for what was " +
      'redeemed, and `phone` for what diners paid on their phones: the open bill of `billId` counts these already.',
  ),
  amount: moneyOrZero(),
});

const closesBill = z
  .boolean()
  .optional()
  .describe(
    'Whether the sale closes the open bill of `billId`. By default it does once nothing is due, or all of its goods are sold: ' +
      'the `subtotal`s of its sales reach that of the bill. `true` closes it in any case, `false` leaves it open. ' +
      'If you send no bills, a sale ends the number for vouchers and QR codes, unless you send `false`: more is to come.',
  );

export const saleInput = z.strictObject({
  ...transactionFields,
  customer: customerRef.optional().describe('The customer. A sale without a customer is kept but earns no points.'),
  ifCustomerUnknown: z
    .enum(['refuse', 'recordWithout'])
    .optional()
    .describe(
      'What to do if nobody is known by `customer`: mistyped, of the wrong format, unknown or erased. `refuse` (default): 404 or ' +
        '400, and nothing is recorded. `recordWithout`: the sale is recorded without the customer, and `customerUnknown` says so.',
    ),
  lines: z.array(billLine).min(1).max(500),
  ...billSums,
  payments: z.array(payment).max(50).describe('The amounts must add up to `total`.'),
  closesBill,
  expectedDue,
  closedAt: givenInstant().describe(
    'When the bill was settled (RFC 3339 with offset). For the record only. Points are earned as of `occurredAt`.',
  ),
});
export type SaleInput = z.infer<typeof saleInput>;

/** A phone number that no customer can have. */
const nobody = { phone: '0' };

/**
 * Lets a paid sale be recorded even if its `customer` is malformed: with `recordWithout`, what is no reference to a
 * customer counts as a phone number without a customer, so that the answer says `customerUnknown`.
 */
export function withReadableCustomer(sent: Record<string, unknown>): Record<string, unknown> {
  const { customer, ifCustomerUnknown } = sent;
  if (ifCustomerUnknown !== 'recordWithout' || customer === undefined) return sent;
  return customerRef.safeParse(customer).success ? sent : { ...sent, customer: nobody };
}

export const saleOutput = z
  .object({
    ...transactionAnswer,
    customerId: z.uuid().nullable(),
    type: z.literal('sale'),
    customerUnknown: z
      .boolean()
      .optional()
      .describe('True if nobody is known by `customer`, and the sale was recorded without. Otherwise absent.'),
    pointsEarned: z.int().min(0).describe('Lines that earn nothing by the merchant’s settings do not count.'),
    pointsRepaid: z
      .int()
      .positive()
      .optional()
      .describe('How many of `pointsEarned` paid what the customer owed after a voided sale. Absent for none.'),
    pointsOwed: z.int().positive().optional().describe('Points that the customer still owes. Absent for none.'),
    overpaid: heldMoney()
      .default(0)
      .describe(
        'What was redeemed, paid and sold above the bill that the sale names, with this sale, and does not go back to diners’ cards by ' +
          'itself. Give it back, or void redemptions or a sale. If the sale arrives after the closing, nothing goes back by itself. 0 without a bill.',
      ),
    billWasSettled: z
      .boolean()
      .optional()
      .describe(
        'True if the sales, with this one and others before it, have more goods than the bill, or had all of them before: it is ' +
          'the same bill, sold twice, or more for guests who stayed. If it is the same, void one of the sales. Otherwise absent.',
      ),
    points: pointsBalance.nullable().describe('The balance after the sale. Null without a customer.'),
    vouchersIssued: z
      .array(voucher)
      .describe(
        'Vouchers issued for joining, if the sale enrolled the customer: none where they wait until the customer has signed in on the phone.',
      ),
  })
  .meta({ id: 'Sale' });
export type SaleOutput = z.infer<typeof saleOutput>;
