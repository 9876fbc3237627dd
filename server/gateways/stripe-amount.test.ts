import { describe, expect, test } from 'vitest';
import { fromStripeAmount, toStripeAmount, toStripeRefund } from './stripe-amount';

test.each([
  ['SGD', 1_050, 1_050],
  ['JPY', 1_050, 1_050],
  ['KRW', 5_000, 5_000],
  // No decimals for us and in ISO 4217, but two for Stripe.
  ['ISK', 500, 50_000],
  ['UGX', 500, 50_000],
  ['TWD', 1_050, 1_050],
  ['KWD', 5_120, 5_120],
  ['IDR', 150_000_000, 150_000_000],
  ['IDR', 999_999_999_999, 999_999_999_999],
  // Two decimals in ISO 4217, but none for Stripe.
  ['MGA', 50_000, 500],
  ['SGD', 50, 50],
  ['MYR', 200, 200],
])('%s: %i is %i for Stripe, and back', (currency, ours, theirs) => {
  expect(toStripeAmount(ours, currency)).toBe(theirs);
  expect(fromStripeAmount(theirs, currency)).toBe(ours);
});

describe('is not accepted', () => {
  test.each([
    ['more than eight digits', 100_000_000, 'SGD'],
    ['more than twelve digits', 1_000_000_000_000, 'IDR'],
    ['more than eight digits for Stripe', 1_000_000, 'ISK'],
    ['a third decimal other than 0', 5_124, 'KWD'],
    ['decimals that Stripe has not', 50_001, 'MGA'],
    ['less than the minimum', 49, 'SGD'],
    ['less than the minimum', 199, 'MYR'],
    ['less than the minimum', 999, 'THB'],
    ['less than the minimum', 17_499, 'HUF'],
    ['nothing', 0, 'KWD'],
  ])('%s', (_, amount, currency) => {
    expect(toStripeAmount(amount, currency)).toBeNull();
  });
});

test('a refund may be less than a charge', () => {
  expect(toStripeAmount(20, 'SGD')).toBeNull();
  expect(toStripeRefund(20, 'SGD')).toBe(20);
  expect(toStripeRefund(3, 'ISK')).toBe(300);
});
