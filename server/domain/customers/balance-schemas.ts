import { z } from 'zod';
import { customer } from '../identity/schemas';
import { currencyCode, heldMoney, instant } from '../kernel/schemas';
import { voucher } from '../kernel/voucher';
import { pointsBalance } from '../points/schemas';
import { storedValueBalance } from '../stored-value/schemas';

export const balancesOutput = z
  .object({
    customer,
    pinRequired: z.boolean().describe("True if redemptions currently need the customer's PIN."),
    currency: currencyCode,
    storedValue: storedValueBalance.extend({
      expiring: z.array(z.object({ amount: heldMoney(), expiresAt: instant })).describe('Soonest first.'),
    }),
    topUpsInProgress: z
      .array(
        z.object({
          amount: heldMoney().describe('What the customer pays.'),
          bonus: heldMoney().describe('What is added to it.'),
          startedAt: instant,
          endsBy: instant.nullable().describe('When it is paid or has failed. Null if the bank names no time.'),
        }),
      )
      .describe(
        'Top-ups paid on a phone with a method that takes hours or days, such as Konbini or SEPA. They are in the balance once the bank has confirmed them.',
      ),
    points: pointsBalance.extend({
      pointValue: z.int().min(0).describe('Value of one point when redeemed, in minor units.'),
      minRedeemPoints: z.int().min(1).describe('Minimum points per redemption.'),
      owed: z
        .int()
        .min(0)
        .describe(
          'Points the customer owes, because a sale was voided after they were spent. Later sales pay them first.',
        ),
      expiring: z.array(z.object({ points: z.int().min(0), expiresAt: instant })).describe('Soonest first.'),
    }),
    vouchers: z
      .array(voucher)
      .describe(
        'Vouchers that can be redeemed now at the store, or at any store if none is named. Those that expire soonest come first. At most 200.',
      ),
  })
  .meta({ id: 'Balances' });
export type Balances = z.infer<typeof balancesOutput>;

export const enrolOutput = customer
  .extend({
    vouchersIssued: z
      .array(voucher)
      .describe('Vouchers issued for joining: none where they wait until the customer has signed in on the phone.'),
  })
  .meta({ id: 'EnrolledCustomer' });
export type EnrolOutput = z.infer<typeof enrolOutput>;
