import { expect, test } from 'vitest';
import type { OnBillByType } from './kind';

test('a kind of transaction without its effect on open bills does not compile', () => {
  const kinds: OnBillByType<{ amount: number }>[] = [
    { type: 'redeemPoints', onBill: ({ answer }) => answer.amount },
    { type: 'sale', onBill: 'closes' },
    // @ts-expect-error A redemption says what it is worth.
    { type: 'redeemPoints', onBill: 'nothing' },
    // @ts-expect-error What is worth something has to be in `redemptionType`, or bills read again would not count it.
    { type: 'topUp', onBill: ({ amount }) => amount },
    // @ts-expect-error It is never optional.
    { type: 'sale' },
  ];
  expect(kinds).toHaveLength(5);
});
