import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, formatMoneyIn, minorDigits } from './money';
import { maxMoney } from './schemas';

test.each([
  ['SGD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['KRW', 0],
  ['VND', 0],
  ['ISK', 0],
  ['IQD', 3],
  ['CLF', 4],
  // Versions of Node and of browsers disagree about these currencies.
  ...['IDR', 'HUF', 'PKR', 'COP', 'RSD', 'TWD', 'MGA', 'LAK', 'CRC', 'UZS'].map((currency) => [currency, 2] as const),
] as const)('%s has %i decimal places', (currency, digits) => {
  expect(minorDigits(currency)).toBe(digits);
});

test.each([
  [1_200, 'SGD', '12.00 SGD'],
  [5, 'SGD', '0.05 SGD'],
  [0, 'SGD', '0.00 SGD'],
  [-250, 'SGD', '-2.50 SGD'],
  [1_050, 'JPY', '1050 JPY'],
  [1_234, 'KWD', '1.234 KWD'],
  [maxMoney, 'SGD', '999999999.99 SGD'],
])('%i %s is %s', (amount, currency, words) => {
  expect(formatMoney(amount, currency)).toBe(words);
});

test('formatting loses no minor unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: maxMoney }), fc.constantFrom('SGD', 'JPY', 'KWD'), (amount, currency) => {
      expect(Number(formatMoney(amount, currency).replace(/[^0-9]/g, ''))).toBe(amount);
    }),
  );
});

test.each([
  ['en-SG', 120_000, 'SGD', '$1,200.00'],
  ['ja-JP', 1_200, 'JPY', '￥1,200'],
  ['de-DE', 120_050, 'EUR', '1.200,50\u00a0€'],
  ['en-SG', maxMoney, 'SGD', '$999,999,999.99'],
  ['id-ID', 1_234_567, 'IDR', 'Rp\u00a012.345,67'],
  ['id-ID', 5_000_000, 'IDR', 'Rp\u00a050.000'],
  ['hu-HU', 120_000, 'HUF', '1200\u00a0Ft'],
  ['zh-TW', 12_000, 'TWD', '$120'],
  ['es-CO', 1_250_000, 'COP', '$\u00a012.500'],
])('in %s, %i %s is %s', (locale, amount, currency, words) => {
  expect(formatMoneyIn(locale, amount, currency)).toBe(words);
});
