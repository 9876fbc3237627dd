import { expect, test } from 'vitest';
import { en } from './en';
import { zh } from './zh';

function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, part]) => flatten(part, path ? `${path}.${key}` : key));
}
const english = new Map(flatten(en));
const chinese = new Map(flatten(zh));
const placeholders = (text: string) => new Set([...text.matchAll(/\{\s*(\w+)/g)].map(([, name]) => name));

test('both languages have the same keys', () => {
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
});

test('each text has the same placeholders in both', () => {
  for (const [key, text] of english) {
    const names = placeholders(chinese.get(key) ?? '');
    for (const name of names) expect(placeholders(text), key).toContain(name);
  }
});

test('every text is translated', () => {
  const same = [...english].filter(([key, text]) => /[a-z]{4,} [a-z]{3,}/.test(text) && chinese.get(key) === text);
  expect(same).toEqual([]);
});
