import { expect, test } from 'vitest';
import { newId } from './ids';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an id is a UUID of version 7', () => {
  for (let i = 0; i < 1_000; i++) expect(newId()).toMatch(uuidV7);
});

test('ids are unique, also within a millisecond and past the pool of random bytes', () => {
  const now = Date.now();
  const ids = Array.from({ length: 100_000 }, () => newId(now));
  expect(new Set(ids).size).toBe(ids.length);
});

test('an id starts with its time, so that later ones sort after it', () => {
  const times = [0, 1, 0xffff, 0x10000, Date.now(), Date.now() + 1, 0xffff_ffff_ffff];
  const ids = times.map((time) => newId(time));
  expect(ids.map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16))).toEqual(times);
  expect([...ids].sort()).toEqual(ids);
});

test('each of the four variants is about equally frequent', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 8_000; i++) {
    const variant = newId().charAt(19);
    counts.set(variant, (counts.get(variant) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual(['8', '9', 'a', 'b']);
  for (const count of counts.values()) expect(count).toBeGreaterThan(1_600);
});
