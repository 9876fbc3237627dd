import { describe, expect, test } from 'vitest';
import { messages } from './messages';

function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, part]) => flatten(part, path ? `${path}.${key}` : key));
}
const { en, ...others } = messages;
const english = new Map(flatten(en));
const placeholders = (text: string) => new Set([...text.matchAll(/\{\s*(\w+)/g)].map(([, name]) => name));
/** Braces after a plural's or select's word hold text, not a placeholder. */
const gaps = (text: string) =>
  new Set(
    [...text.matchAll(/(?<!(?:=\d+|other|true|owner|manager|down|day|week|hand) )\{\s*(\w+)\s*[,}]/g)].map(
      ([, name]) => name,
    ),
  );

describe.each(Object.entries(others))('%s', (_language, texts) => {
  const translated = new Map(flatten(texts));

  test('has the same keys as English', () => {
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test('has no placeholder that English lacks', () => {
    for (const [key, text] of english)
      for (const name of gaps(translated.get(key) ?? '')) expect(placeholders(text), key).toContain(name);
  });

  test('translates every text', () => {
    const same = [...english].filter(([key, text]) => /[a-z]{4,} [a-z]{3,}/.test(text) && translated.get(key) === text);
    expect(same).toEqual([]);
  });
});
