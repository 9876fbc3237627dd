import { expect, test } from 'vitest';
import type { TaxRules } from '@/server/domain/merchants';
import { pricesWords } from './dictionaries';
import { priceNote } from './price-note';
import type { DinerLanguage } from './words';

const none: TaxRules = {
  taxName: null,
  taxBasisPoints: null,
  taxIncluded: true,
  serviceBasisPoints: null,
  serviceIncluded: false,
};
const singapore: TaxRules = {
  ...none,
  taxName: 'GST',
  taxBasisPoints: 900,
  taxIncluded: false,
  serviceBasisPoints: 1_000,
};
const japan: TaxRules = { ...none, taxBasisPoints: 1_000 };
const note = (rules: Partial<TaxRules>, language: DinerLanguage = 'en') =>
  priceNote({ ...none, ...rules }, language, pricesWords[language]);

test('prices say what they include and what will be added; a sum without it is a subtotal', () => {
  expect(note({})).toEqual({ text: null, subtotal: null });
  expect(note(singapore)).toEqual({ text: 'Prices exclude 10% service charge and 9% GST.', subtotal: 'Subtotal' });
  expect(note({ ...singapore, taxIncluded: true, serviceIncluded: true })).toEqual({
    text: 'Prices include 10% service charge and 9% GST.',
    subtotal: null,
  });
  expect(note({ ...singapore, taxIncluded: true })).toEqual({
    text: 'Prices include 9% GST. A 10% service charge will be added.',
    subtotal: 'Subtotal',
  });
  expect(note({ taxBasisPoints: 850 }).text).toBe('Prices include 8.5% tax.');
});

test('in Japanese, prices are 税込 or 税抜', () => {
  expect(note(japan, 'ja')).toEqual({ text: '価格は税込です（消費税 10%）。', subtotal: null });
  expect(note({ ...japan, taxIncluded: false }, 'ja')).toEqual({
    text: '価格は税抜です（別途 消費税 10%）。',
    subtotal: '小計',
  });
});
