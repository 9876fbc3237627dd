import { expect, test } from 'vitest';
import { regionFor } from './region';

const day = (locale: string, language: string) =>
  new Intl.DateTimeFormat(regionFor(locale, language), { dateStyle: 'medium' }).format(
    new Date('2026-11-03T12:00:00Z'),
  );

test('a reader of the merchant’s language gets its locale, others their language as its country writes it', () => {
  expect(regionFor('en-SG', 'en')).toBe('en-SG');
  expect(regionFor('ms-MY', 'en')).toBe('en-MY');
  expect(regionFor('ms', 'en')).toBe('en-MY');
  expect(regionFor('en-SG', 'ja')).toBe('ja-SG');
});

test('an English date has the order of the merchant’s country', () => {
  expect(['en-SG', 'ms-MY', 'de-DE'].map((locale) => day(locale, 'en'))).toEqual(Array(3).fill('3 Nov 2026'));
  expect(['en-US', 'ja-JP'].map((locale) => day(locale, 'en'))).toEqual(Array(2).fill('Nov 3, 2026'));
  expect(['ja-JP', 'en-SG'].map((locale) => day(locale, 'ja'))).toEqual(Array(2).fill('2026/11/03'));
});
