import { describe, expect, test } from 'vitest';
import { loyaltyWords, pricesWords, tableWords, tableWordsIn, topUpWords } from './dictionaries';
import { type CountedText, dinerLanguage, fill, formFor, requestedLanguage } from './words';
import enBill from './words/en/bill.json';
import jaBill from './words/ja/bill.json';
import msBill from './words/ms/bill.json';
import zhBill from './words/zh/bill.json';

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const formsOf = (text: string | CountedText | undefined) =>
  typeof text === 'object' ? Object.entries(text) : [['', text ?? ''] as const];
/** The plural forms of a language, or none for a text without a count. */
const formNames = (text: string | CountedText, language: string) =>
  typeof text === 'string' ? [''] : new Intl.PluralRules(language).resolvedOptions().pluralCategories;

const pages: [string, Record<string, Record<string, string | CountedText>>][] = [
  ['table', tableWords],
  ['bill', { en: enBill, zh: zhBill, ja: jaBill, ms: msBill }],
  ['loyalty', loyaltyWords],
  ['top-up', topUpWords],
  ['prices', pricesWords],
];

describe.each(pages)('the words of the %s page', (_, all) => {
  const { en = {}, ...others } = all;
  test.each(Object.entries(all))('have in %s each plural form of the language', (language, words) => {
    for (const [key, text] of Object.entries(words)) {
      expect(
        formsOf(text)
          .map(([form]) => form)
          .sort(),
        key,
      ).toEqual([...formNames(text, language)].sort());
    }
  });

  test.each(Object.entries(others))('have in %s the placeholders of the English texts', (_language, words) => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) {
      const originals = formsOf(text).map(([, form]) => form);
      for (const [, form] of formsOf(words[key])) {
        expect(placeholders(form), key).toEqual(placeholders(originals[0] ?? ''));
        expect(form.trim(), key).not.toBe('');
        // A sentence still in English was not translated.
        if (/[a-z]{3,} [a-z]{3,}/.test(form)) expect(originals, key).not.toContain(form);
      }
    }
  });
});

test('in Japan, a dish with gluten or crustaceans is one with wheat, shrimp and crab', () => {
  const names = (country: string) => {
    const { gluten, crustaceans } = tableWordsIn('ja', country);
    return [gluten, crustaceans];
  };
  expect(names('JP')).toEqual(['小麦', 'えび・かに']);
  expect(names('SG')).toEqual(['グルテン（小麦など）', '甲殻類（えび・かになど）']);
});

test('values are inserted by name, and a placeholder without a value stays', () => {
  expect(fill('{count} of {total}, {count}', { count: 2, total: 5 })).toBe('2 of 5, 2');
  expect(fill('{name}', {})).toBe('{name}');
  expect(fill('{price}', { price: '$& {name}', name: 'x' })).toBe('$& {name}');
});

test('a text with a count takes the plural form of its language', () => {
  const items = (count: number) => fill(formFor(tableWords.en.itemCount, count, 'en'), { count });
  expect([0, 1, 2, 21].map(items)).toEqual(['0 items', '1 item', '2 items', '21 items']);
  expect(formFor(tableWords.ja.itemCount, 1, 'ja')).toBe('{count}点');
  expect(formFor({ other: 'any' }, 1, 'en')).toBe('any');
});

test('the language is the chosen one, else the phone’s first supported one, else the merchant’s', () => {
  expect(dinerLanguage({ chosen: 'ms', acceptLanguage: 'ja' }, 'en-SG')).toBe('ms');
  expect(dinerLanguage({ chosen: 'xx', acceptLanguage: 'fr-FR, zh-Hant;q=0.8, ja' }, 'ja-JP')).toBe('zh');
  expect(dinerLanguage({ chosen: undefined, acceptLanguage: 'fr' }, 'ja-JP')).toBe('ja');
  expect(dinerLanguage({ chosen: '', acceptLanguage: null }, 'toString')).toBe('en');
  expect(requestedLanguage({ chosen: null, acceptLanguage: 'fr' })).toBeNull();
});
