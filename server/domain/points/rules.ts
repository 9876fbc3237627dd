import type { Merchant } from '../core/context';
import type { PointsBalance } from './schemas';

/** Points of a sale: `earnPoints` for each whole `earnPerAmount` (minor units) of what was paid for goods. */
export function pointsEarned({ earnPoints, earnPerAmount }: Merchant, spent: number): number {
  return Math.floor(Math.max(0, spent) / earnPerAmount) * earnPoints;
}

export function pointsBalance(balance: number, { pointValue }: Merchant): PointsBalance {
  return { balance, worth: balance * pointValue };
}
