import { describe, expect, test } from 'vitest';
import type { Database } from '@/db/driver';
import { batchLookups } from './batch-lookups';

const pool = () => ({}) as Database['reads'];
const plain = { merchantId: 'A', kind: 'plain' };
const broken = { merchantId: 'A', kind: 'broken' };

/** Doubles numbers, and records which of them shared a statement. */
function doubling() {
  const asked: number[][] = [];
  const double = batchLookups(async (_, { kind }: typeof plain, ns: number[]) => {
    asked.push(ns);
    if (kind === 'broken') throw new Error('the database is away');
    return ns.map((n) => n * 2);
  });
  return { double, asked };
}

describe('look-ups', () => {
  test('at the same moment are batched, and each gets its own row', async () => {
    const { double, asked } = doubling();
    const reads = pool();
    expect(await Promise.all([3, 1, 2].map((n) => double(reads, plain, n)))).toEqual([6, 2, 4]);
    expect(await double(reads, plain, 5)).toBe(10);
    expect(asked).toEqual([[3, 1, 2], [5]]);
  });

  test('of another merchant, kind or database are never batched together', async () => {
    const { double, asked } = doubling();
    const reads = pool();
    const all = [
      double(reads, plain, 1),
      double(reads, { ...plain, merchantId: 'B' }, 2),
      double(reads, { ...plain, kind: 'other' }, 3),
      double(pool(), plain, 4),
    ];
    expect(await Promise.all(all)).toEqual([2, 4, 6, 8]);
    expect(asked.toSorted()).toEqual([[1], [2], [3], [4]]);
  });

  test('are limited in number per batch', async () => {
    const { double, asked } = doubling();
    const reads = pool();
    const ns = Array.from({ length: 100 }, (_, n) => n);
    expect(await Promise.all(ns.map((n) => double(reads, plain, n)))).toEqual(ns.map((n) => n * 2));
    expect(asked.flat()).toEqual(ns);
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(50);
  });

  test('fail with their batch, and only with it', async () => {
    const { double } = doubling();
    const reads = pool();
    const answers = await Promise.allSettled([
      double(reads, broken, 1),
      double(reads, broken, 2),
      double(reads, plain, 3),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await expect(double(reads, plain, 4)).resolves.toBe(8);
  });
});
