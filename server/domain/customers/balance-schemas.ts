import { z } from 'zod';
import { currencyCode, heldMoney, instant } from '../core/schemas';
import { pointsBalance } from '../points/schemas';
import { voucher } from '../vouchers/schemas';
import { customer, storedValueBalance } from './schemas';

export const balancesOutput = z
  .object({
    customer,
    pinRequired: z.boolean().describe("Whether redemptions need the customer's PIN now."),
    currency: currencyCode,
    storedValue: storedValueBalance.extend({
      expiring: z.array(z.object({ amount: heldMoney(), expiresAt: instant })).describe('Soonest first.'),
    }),
    points: pointsBalance.extend({
      pointValue: z.int().min(0).describe('What one point takes off a bill, in minor units.'),
      minRedeemPoints: z.int().min(1).describe('How many must be redeemed at a time, at least.'),
      expiring: z.array(z.object({ points: z.int().min(0), expiresAt: instant })).describe('Soonest first.'),
    }),
    vouchers: z
      .array(voucher)
      .describe('Redeemable now at the store (without a store: at any), soonest to expire first; at most 200.'),
  })
  .meta({ id: 'Balances' });
export type Balances = z.infer<typeof balancesOutput>;

export const enrolOutput = customer
  .extend({ vouchersIssued: z.array(voucher).describe('For joining.') })
  .meta({ id: 'EnrolledCustomer' });
export type EnrolOutput = z.infer<typeof enrolOutput>;
