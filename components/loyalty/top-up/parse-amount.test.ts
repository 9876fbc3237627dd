import { expect, test } from 'vitest';
import { parseAmount } from './parse-amount';

test.each([
  ['25', 2, 2_500],
  [' 25.5 ', 2, 2_550],
  ['25,50', 2, 2_550],
  ['1,000', 2, 100_000],
  ['1.000', 2, 100_000],
  ['1,234.56', 2, 123_456],
  ['1 000', 0, 1_000],
  ['1,000', 0, 1_000],
  ['５０００', 0, 5_000],
  ['5.124', 3, 5_124],
])('%o with %i decimals is %i', (text, digits, amount) => {
  expect(parseAmount(text, digits)).toBe(amount);
});

test.each([
  ['', 2],
  ['abc', 2],
  ['-5', 2],
  ['25.5055', 2],
  ['25.5', 0],
  ['1e3', 2],
  ['1,23,4', 2],
])('%o with %i decimals is no amount', (text, digits) => {
  expect(parseAmount(text, digits)).toBeNull();
});
