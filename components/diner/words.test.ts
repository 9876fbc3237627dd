import { describe, expect, test } from 'vitest';
import { loyaltyWords, tableWords, topUpWords } from './dictionaries';
import { askedLanguage, dinerLanguage, fill } from './words';

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const pages: [string, Record<string, Record<string, string>>][] = [
  ['table', tableWords],
  ['loyalty', loyaltyWords],
  ['top-up', topUpWords],
];

describe.each(pages)('the words of the %s page', (_, { en = {}, ...others }) => {
  test.each(Object.entries(others))('say in %s what they say in English', (_language, words) => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) {
      expect(placeholders(words[key] ?? ''), key).toEqual(placeholders(text));
      expect(words[key]?.trim(), key).not.toBe('');
      // A sentence left in English was forgotten.
      if (/[a-z]{3,} [a-z]{3,}/.test(text)) expect(words[key], key).not.toBe(text);
    }
  });
});

test('values are put into a text by name, and what has none stays as it is', () => {
  expect(fill('{count} of {total}, {count}', { count: 2, total: 5 })).toBe('2 of 5, 2');
  expect(fill('{name}', {})).toBe('{name}');
  expect(fill('{price}', { price: '$& {name}', name: 'x' })).toBe('$& {name}');
});

test('the language is the chosen one, else the first of the phone that is spoken, else the merchant’s', () => {
  expect(dinerLanguage({ chosen: 'ms', acceptLanguage: 'ja' }, 'en-SG')).toBe('ms');
  expect(dinerLanguage({ chosen: 'xx', acceptLanguage: 'fr-FR, zh-Hant;q=0.8, ja' }, 'ja-JP')).toBe('zh');
  expect(dinerLanguage({ chosen: undefined, acceptLanguage: 'fr' }, 'ja-JP')).toBe('ja');
  expect(dinerLanguage({ chosen: '', acceptLanguage: null }, 'toString')).toBe('en');
  expect(askedLanguage({ chosen: null, acceptLanguage: 'fr' })).toBeNull();
});
