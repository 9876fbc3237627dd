import { describe, expect, test } from 'vitest';
import type { Database } from '@/db/client';
import { together } from './together';

const pool = () => ({ reads: {} as Database['reads'] });
const merchant = { id: 'A' };

/** Doubles numbers, and records which were looked up together. */
function doubling() {
  const asked: number[][] = [];
  const double = together(async (_: { db: ReturnType<typeof pool>; merchant: { id: string } }, kind, ns: number[]) => {
    asked.push(ns);
    if (kind === 'broken') throw new Error('the database is away');
    return ns.map((n) => n * 2);
  });
  return { double, asked };
}

describe('look-ups', () => {
  test('at the same moment are batched, and each gets its own row', async () => {
    const { double, asked } = doubling();
    const ctx = { db: pool(), merchant };
    expect(await Promise.all([3, 1, 2].map((n) => double(ctx, 'plain', n)))).toEqual([6, 2, 4]);
    expect(await double(ctx, 'plain', 5)).toBe(10);
    expect(asked).toEqual([[3, 1, 2], [5]]);
  });

  test('of another merchant, kind or database are never batched together', async () => {
    const { double, asked } = doubling();
    const db = pool();
    const all = [
      double({ db, merchant }, 'plain', 1),
      double({ db, merchant: { id: 'B' } }, 'plain', 2),
      double({ db, merchant }, 'other', 3),
      double({ db: pool(), merchant }, 'plain', 4),
    ];
    expect(await Promise.all(all)).toEqual([2, 4, 6, 8]);
    expect(asked.toSorted()).toEqual([[1], [2], [3], [4]]);
  });

  test('are limited in number per batch', async () => {
    const { double, asked } = doubling();
    const ctx = { db: pool(), merchant };
    const ns = Array.from({ length: 100 }, (_, n) => n);
    expect(await Promise.all(ns.map((n) => double(ctx, 'plain', n)))).toEqual(ns.map((n) => n * 2));
    expect(asked.flat()).toEqual(ns);
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(50);
  });

  test('fail with their batch, and only with it', async () => {
    const { double } = doubling();
    const ctx = { db: pool(), merchant };
    const answers = await Promise.allSettled([
      double(ctx, 'broken', 1),
      double(ctx, 'broken', 2),
      double(ctx, 'plain', 3),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await expect(double(ctx, 'plain', 4)).resolves.toBe(8);
  });
});
