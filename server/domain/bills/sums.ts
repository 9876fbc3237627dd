import type { IncludedTax } from '@/db/schema';
import type { Issue } from '../kernel/errors';
import { roundingUnit } from '../kernel/rounding';
import { say } from '../kernel/say';

interface Sums {
  lines: { amount: number }[];
  subtotal: number;
  discount: number;
  serviceCharge: number;
  tax: number;
  rounding?: number | undefined;
  taxIncluded?: { amount: number }[] | undefined;
  total: number;
}

/** Returns what the total should be, and an issue for each sum that is off. */
export function checkSums(bill: Sums, currency: string): { expectedTotal: number; issues: Issue[] } {
  const { subtotal, discount, serviceCharge, tax, rounding = 0, total, taxIncluded = [] } = bill;
  const issues: Issue[] = [];
  const expectedTotal = subtotal - discount + serviceCharge + tax + rounding;
  if (expectedTotal !== total) {
    issues.push({ path: 'total', sentence: say('totalMismatch', { total, expected: expectedTotal }) });
  }
  const unit = roundingUnit(currency);
  if (Math.abs(rounding) >= unit) {
    issues.push({ path: 'rounding', sentence: say('roundingTooLarge', { unit: { minor: unit, currency } }) });
  }
  const included = taxIncluded.reduce((sum, { amount }) => sum + amount, 0);
  if (included > total) issues.push({ path: 'taxIncluded', sentence: say('taxAboveTotal', { included, total }) });
  const goods = bill.lines.reduce((sum, { amount }) => sum + amount, 0);
  if (goods !== subtotal) issues.push({ path: 'lines', sentence: say('linesMismatch', { goods, subtotal }) });
  return { expectedTotal, issues };
}

/** The tax in prices as it is stored. */
export const toIncludedTax = (given: { rate?: number | undefined; amount: number }[] = []): IncludedTax[] =>
  given.map(({ rate = null, amount }) => ({ rate, amount }));
