import type { Merchant } from '../core/context';
import { maxPoints } from '../core/schemas';
import type { PointsBalance } from './schemas';

/**
 * Points of a sale: `earnPoints` for each whole `earnPerAmount` (minor units) of what was paid for goods, as far as the
 * customer can hold them beside the points `held`.
 */
export function pointsEarned({ earnPoints, earnPerAmount }: Merchant, spent: number, held: number): number {
  const earned = Math.floor(Math.max(0, spent) / earnPerAmount) * earnPoints;
  return Math.min(earned, Math.max(0, maxPoints - held));
}

/** Points, and what they are worth when redeemed, in minor units. */
export function balanceOfPoints(balance: number, { pointValue }: Merchant): PointsBalance {
  return { balance, worth: balance * pointValue };
}
