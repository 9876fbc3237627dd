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

interface Goods {
  lines: { plu: string; amount: number }[];
  subtotal: number;
  discount: number;
}

/**
 * Returns what was paid for goods that earn points, in minor units. The discount counts for all lines in proportion.
 * Rounded down.
 */
export function earningAmount({ lines, subtotal, discount }: Goods, noPointsPlus: Set<string>): number {
  const paid = subtotal - discount;
  const excluded = lines.reduce((sum, { plu, amount }) => (noPointsPlus.has(plu) ? sum + amount : sum), 0);
  if (excluded === 0 || subtotal <= 0) return paid;
  // Exact: the product is beyond the safe integers.
  return Number((BigInt(paid) * BigInt(subtotal - excluded)) / BigInt(subtotal));
}

/** Returns points with their value in minor units. */
export function balanceOfPoints(balance: number, { pointValue }: Merchant): PointsBalance {
  return { balance, worth: balance * pointValue };
}
