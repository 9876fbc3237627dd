import { z } from 'zod';
import { transactionAnswer } from '../engine/schemas';
import { customerRef } from '../identity/schemas';
import { pin, transactionFields } from '../kernel/schemas';

export const pointsBalance = z
  .object({
    balance: z.int().min(0),
    worth: z.int().min(0).describe('Value of the points when redeemed, in minor units.'),
  })
  .meta({ id: 'PointsBalance' });
export type PointsBalance = z.infer<typeof pointsBalance>;

export const redeemPointsInput = z.strictObject({
  ...transactionFields,
  customer: customerRef,
  points: z.int().min(1).max(1_000_000_000).describe('Number of points to redeem.'),
  pin: pin.optional(),
});
export type RedeemPointsInput = z.infer<typeof redeemPointsInput>;

export const redeemPointsOutput = z
  .object({
    ...transactionAnswer,
    type: z.literal('redeemPoints'),
    pointsRedeemed: z.int().min(1),
    amount: z.int().min(0).describe('Amount the points take off the bill, in minor units.'),
    points: pointsBalance.describe('The balance after the redemption.'),
  })
  .meta({ id: 'PointsRedemption' });
export type RedeemPointsOutput = z.infer<typeof redeemPointsOutput>;
