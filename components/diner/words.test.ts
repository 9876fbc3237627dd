import { expect, test } from 'vitest';
import { tableWords, tableWordsIn } from './dictionaries';
import { dinerLanguage, fillText, formFor, requestedLanguage } from './words';

test('in Japan, a dish with gluten or crustaceans is one with wheat, shrimp and crab', () => {
  const names = (country: string) => {
    const { gluten, crustaceans } = tableWordsIn('ja', country);
    return [gluten, crustaceans];
  };
  expect(names('JP')).toEqual(['小麦', 'えび・かに']);
  expect(names('SG')).toEqual(['グルテン（小麦など）', '甲殻類（えび・かになど）']);
});

test('values are inserted by name, and a placeholder without a value stays', () => {
  expect(fillText('{count} of {total}, {count}', { count: 2, total: 5 })).toBe('2 of 5, 2');
  expect(fillText('{name}', {})).toBe('{name}');
  expect(fillText('{price}', { price: '$& {name}', name: 'x' })).toBe('$& {name}');
});

test('a text with a count takes the plural form of its language', () => {
  const items = (count: number) => fillText(formFor(tableWords.en.itemCount, count, 'en'), { count });
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
