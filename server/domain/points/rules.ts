import type { Merchant } from '../kernel/context';
import { maxPoints } from '../kernel/schemas';
import { shareByWeight } from '../kernel/share';
import type { PointsBalance } from './schemas';

interface Spent {
  subtotal: number;
  discount: number;
  serviceCharge: number;
  taxIncluded?: { amount: number }[] | undefined;
}

/**
 * Returns what a sale earns points on, in minor units: its goods after discounts, without the tax in their prices if the
 * merchant says so. Service charge has its part of that tax.
 */
export function earningAmount(
  { pointsOnNet }: Merchant,
  { subtotal, discount, serviceCharge, taxIncluded }: Spent,
): number {
  const goods = Math.max(0, subtotal - discount);
  if (!pointsOnNet || !taxIncluded) return goods;
  const included = taxIncluded.reduce((sum, { amount }) => sum + amount, 0);
  const [ofGoods = 0] = shareByWeight(included, [BigInt(goods), BigInt(serviceCharge)]);
  return Math.max(0, goods - ofGoods);
}

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
}

/**
 * Returns the part of `paid` for goods that earn points, in minor units, rounded down: discounts and tax count for all
 * lines in proportion.
 */
export function withoutExcluded(paid: number, { lines, subtotal }: Goods, noPointsPlus: Set<string>): number {
  const excluded = lines.reduce((sum, { plu, amount }) => (noPointsPlus.has(plu) ? sum + amount : sum), 0);
  if (excluded === 0 || subtotal <= 0) return paid;
  const earning = Math.max(0, subtotal - excluded);
  // Exact: the product is beyond the safe integers.
  return Number((BigInt(paid) * BigInt(earning)) / BigInt(subtotal));
}

/** Returns points with their value in minor units. */
export function balanceOfPoints(balance: number, { pointValue }: Merchant): PointsBalance {
  return { balance, worth: balance * pointValue };
}
