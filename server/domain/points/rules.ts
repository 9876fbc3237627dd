import type { Merchant } from '../kernel/context';
import { maxPoints } from '../kernel/schemas';
import type { PointsBalance } from './schemas';

/**
 * Returns the points of a sale: `earnPoints` for each whole `earnPerAmount` (minor units) paid for goods, up to the
 * maximum that a customer with `held` points may have.
 */
export function pointsEarned({ earnPoints, earnPerAmount }: Merchant, spent: number, held: number): number {
  const earned = Math.floor(Math.max(0, spent) / earnPerAmount) * earnPoints;
  return Math.min(earned, Math.max(0, maxPoints - held));
}

/** Returns points with their value in minor units. */
export function balanceOfPoints(balance: number, { pointValue }: Merchant): PointsBalance {
  return { balance, worth: balance * pointValue };
}
