import { expect, test } from 'vitest';
import type { OnBillByType } from './kind';

test('a kind of transaction without its effect on open bills does not compile', () => {
  const settles = { total: 1, subtotal: 1, rounding: 0, taken: 1 };
  const kinds: OnBillByType<object, { amount: number }>[] = [
    { type: 'redeemPoints', onBill: { redeems: ({ answer }) => answer.amount } },
    { type: 'sale', onBill: { sells: () => settles } },
    // @ts-expect-error A redemption says what it is worth.
    { type: 'redeemPoints', onBill: 'nothing' },
    // @ts-expect-error What is worth something has to be in `redemptionType`, or bills read again would not count it.
    { type: 'topUp', onBill: { redeems: ({ amount }) => amount } },
    // @ts-expect-error It is never optional.
    { type: 'sale' },
  ];
  expect(kinds).toHaveLength(5);
});
