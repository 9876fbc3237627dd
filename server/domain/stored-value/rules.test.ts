import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../kernel/errors';
import { percentageOf } from '../kernel/money';
import { say } from '../kernel/say';
import { maxMoney } from '../kernel/schemas';
import { checkBalanceLimit, examplesOf, priceTopUp } from './rules';
import type { StoredValuePackage } from './schemas';

const nothing: StoredValuePackage = {
  packageId: '00000000-0000-4000-8000-000000000000',
  name: 'Package',
  kind: 'open',
  amount: null,
  minAmount: null,
  maxAmount: null,
  bonusAmount: null,
  bonusPercent: null,
  creditedAmount: null,
  bonusExpiresInDays: null,
  validFrom: null,
  validUntil: null,
};
const fixed: StoredValuePackage = { ...nothing, kind: 'fixed', amount: 10_000, bonusAmount: 2_000 };
const open: StoredValuePackage = { ...nothing, minAmount: 2_000, maxAmount: 50_000, bonusPercent: 10.25 };

const amounts = fc.integer({ min: 1, max: maxMoney });
const basisPoints = fc.integer({ min: 0, max: 100_000 });

function refusalOf(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('percentageOf', () => {
  test.each([
    [2_009, 1_000, 200],
    [1, 9_999, 0],
    [1, 10_000, 1],
    [9_999, 1, 0],
    [10_000, 1, 1],
    [100, 0, 0],
    [maxMoney, 10_000, maxMoney],
    [maxMoney, 9_999, 99_989_999_999],
  ])('of %i at %i hundredths of a percent is %i', (amount, points, bonus) => {
    expect(percentageOf(amount, points)).toBe(bonus);
  });

  test('is the percentage rounded down, to the minor unit, for every amount', () => {
    fc.assert(
      fc.property(amounts, basisPoints, (amount, points) => {
        const bonus = BigInt(percentageOf(amount, points));
        const exact = BigInt(amount) * BigInt(points);
        expect(bonus * 10_000n <= exact && exact < (bonus + 1n) * 10_000n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never gives more for an amount paid in two parts', () => {
    fc.assert(
      fc.property(amounts, amounts, basisPoints, (a, b, points) => {
        expect(percentageOf(a, points) + percentageOf(b, points)).toBeLessThanOrEqual(percentageOf(a + b, points));
      }),
    );
  });
});

describe('priceTopUp', () => {
  test('of a fixed package is its price, with or without an amount', () => {
    expect(priceTopUp(fixed, undefined, 'SGD')).toEqual({ principal: 10_000, bonus: 2_000 });
    expect(priceTopUp(fixed, 10_000, 'SGD')).toEqual({ principal: 10_000, bonus: 2_000 });
    expect(refusalOf(() => priceTopUp(fixed, 10_001, 'SGD'))).toMatchObject({
      issues: [{ path: 'amount', sentence: say('notPackageAmount', { amount: { minor: 10_000, currency: 'SGD' } }) }],
      details: { amount: 10_000 },
    });
  });

  test('of an open package is any amount in its range, both ends included', () => {
    expect(priceTopUp(open, 2_000, 'SGD')).toEqual({ principal: 2_000, bonus: 205 });
    expect(priceTopUp(open, 50_000, 'SGD')).toEqual({ principal: 50_000, bonus: 5_125 });
    const minimum = { minor: 2_000, currency: 'SGD' };
    const beyond = say('outOfRange', { minimum, maximum: { minor: 50_000, currency: 'SGD' } });
    for (const [amount, sentence] of [
      [undefined, say('openAmountMissing')],
      [1_999, beyond],
      [50_001, beyond],
    ] as const) {
      expect(refusalOf(() => priceTopUp(open, amount, 'SGD'))).toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'amount', sentence }],
        details: { minAmount: 2_000, maxAmount: 50_000 },
      });
    }
  });

  test('applies every percentage with two decimals exactly, though a float can’t represent it', () => {
    fc.assert(
      fc.property(amounts, basisPoints, (amount, points) => {
        const offer = { ...nothing, minAmount: 1, maxAmount: maxMoney, bonusPercent: points / 100 };
        expect(priceTopUp(offer, amount, 'SGD')).toEqual({ principal: amount, bonus: percentageOf(amount, points) });
      }),
      { numRuns: 2_000 },
    );
  });

  test('a package without its amounts is a fault, not a refusal', () => {
    expect(() => priceTopUp({ ...fixed, amount: null }, undefined, 'SGD')).toThrow(TypeError);
    expect(() => priceTopUp({ ...open, maxAmount: null }, 2_000, 'SGD')).toThrow(TypeError);
  });
});

describe('examplesOf', () => {
  test('are what the package gives: its price, or both ends of its range', () => {
    expect(examplesOf({ kind: 'fixed', amount: 10_000, bonusAmount: 2_000 })).toEqual([
      { pays: 10_000, receives: 12_000 },
    ]);
    const range = { kind: 'open', minAmount: 2_009, maxAmount: 50_000, bonusBasisPoints: 1_000 } as const;
    expect(examplesOf(range)).toEqual([
      { pays: 2_009, receives: 2_209 },
      { pays: 50_000, receives: 55_000 },
    ]);
    expect(examplesOf({ ...range, maxAmount: 2_009 })).toEqual([{ pays: 2_009, receives: 2_209 }]);
  });
});

describe('checkBalanceLimit', () => {
  const merchant = (balanceLimit: number | null) => ({ balanceLimit, currency: 'SGD' });

  test('allows a balance up to the limit and not past it', () => {
    fc.assert(
      fc.property(amounts, amounts, fc.option(amounts), (before, credited, limit) => {
        const check = () => checkBalanceLimit(before, credited, merchant(limit));
        if (before + credited <= (limit ?? maxMoney)) expect(check).not.toThrow();
        else expect(refusalOf(check).code).toBe('balance_limit_exceeded');
      }),
    );
  });

  test('reports the limit and the balance', () => {
    expect(refusalOf(() => checkBalanceLimit(900, 200, merchant(1_000)))).toMatchObject({
      message: 'A balance may be 10.00 SGD at most; it is 9.00 SGD.',
      details: { limit: 1_000, balance: 900, credited: 200 },
    });
  });

  test('uses the maximum of a balance if the merchant has set no limit', () => {
    expect(() => checkBalanceLimit(0, maxMoney, merchant(null))).not.toThrow();
    expect(refusalOf(() => checkBalanceLimit(1, maxMoney, merchant(null))).details.limit).toBe(maxMoney);
  });
});
