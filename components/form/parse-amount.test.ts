import { expect, test } from 'vitest';
import { parseAmount, parseDecimal, withoutCurrency } from './parse-amount';

test.each([
  ['25', 2, 2_500],
  [' 25.5 ', 2, 2_550],
  ['25.', 2, 2_500],
  ['25,50', 2, 2_550],
  ['7,5', 2, 750],
  ['-0,50', 2, -50],
  ['1,000', 2, 100_000],
  ['1.000', 2, 100_000],
  ['1,234.56', 2, 123_456],
  ['1.234,56', 2, 123_456],
  ["1'234.56", 2, 123_456],
  ['1 234,56', 2, 123_456],
  ['12.500.000,00', 2, 1_250_000_000],
  ['1 000', 0, 1_000],
  ['1,000', 0, 1_000],
  ['５０００', 0, 5_000],
  ['5.124', 3, 5_124],
  ['5,12', 3, 5_120],
  ['1,234,567', 3, 1_234_567_000],
])('%o with %i decimals is %i', (text, digits, amount) => {
  expect(parseAmount(text, digits)).toBe(amount);
});

test.each([
  ['', 2],
  ['abc', 2],
  ['--5', 2],
  ['25.5055', 2],
  ['25.5', 0],
  ['7,5', 0],
  ['1e3', 2],
  ['1,23,4', 2],
  ['1,234,56', 2],
  ['12 50', 2],
  ["12'50", 2],
])('%o with %i decimals is no amount', (text, digits) => {
  expect(parseAmount(text, digits)).toBeNull();
});

test.each([
  ['1,250', 3],
  ['0,125', 2],
])('%o with %i decimals could be two amounts, and is none', (text, digits) => {
  expect(parseAmount(text, digits)).toBeNull();
});

test.each([
  ['12.500', 2, null],
  ['-1.255', 2, null],
  ['7.125', 2, null],
  ['1.000', 0, null],
  ['12,500', 2, 1_250_000],
  ['12.50', 2, 1_250],
  ['12,50', 2, 1_250],
  ['12.500,00', 2, 1_250_000],
  ['12.500', 3, 12_500],
])('%o with %i decimals behind a point is %s', (text, digits, amount) => {
  expect(parseDecimal(text, digits)).toBe(amount);
});

test.each([
  ['$50', 'SGD', '50'],
  ['S$ 1,234.50', 'SGD', '1,234.50'],
  ['-$5', 'SGD', '-5'],
  ['sgd 50', 'SGD', '50'],
  ['50 SGD', 'SGD', '50'],
  ['US$50', 'USD', '50'],
  ['RM50', 'MYR', '50'],
  ['￥5,000', 'JPY', '5,000'],
  ['12.50 €', 'EUR', '12.50'],
  ['1.000,50', 'SGD', '1.000,50'],
])('%o is an amount in %s: %o', (text, currency, plain) => {
  expect(withoutCurrency(text, currency)).toBe(plain);
});

test.each([
  ['€50', 'SGD'],
  ['US$50', 'SGD'],
  ['$50 SGD', 'SGD'],
  ['50 $ 20', 'SGD'],
])('%o is no amount in %s', (text, currency) => {
  expect(parseDecimal(withoutCurrency(text, currency), 2)).toBeNull();
});
