import { expect, test } from 'vitest';
import type { Merchant } from '../kernel/context';
import { earningAmount } from './rules';

const onNet = { pointsOnNet: true } as Merchant;
const onGross = { pointsOnNet: false } as Merchant;
const taxIncluded = [{ amount: 100 }, { amount: 21 }];
const sale = { subtotal: 1_200, discount: 100, serviceCharge: 0, taxIncluded };

test.each([
  ['the goods after discounts', onGross, sale, 1_100],
  ['the same without the tax in them', onNet, sale, 979],
  ['the service charge has its part of the tax', onNet, { ...sale, serviceCharge: 110 }, 990],
  ['no tax was sent', onNet, { ...sale, taxIncluded: undefined }, 1_100],
  ['a bill of nothing', onNet, { subtotal: 100, discount: 100, serviceCharge: 0, taxIncluded: [{ amount: 0 }] }, 0],
  ['a discount above the goods', onGross, { ...sale, discount: 1_300 }, 0],
])('%s', (_, merchant, spent, amount) => {
  expect(earningAmount(merchant, spent)).toBe(amount);
});
