import { expect, test } from 'vitest';
import type { LoadedBill } from './load';
import { canTakeBack } from './open';
import type { Redemption } from './rules';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));

const redemption: Redemption = {
  transactionId: 't',
  type: 'redeemStoredValue',
  customerId: 'c',
  amount: 500,
  isInDiscount: false,
  isVoided: false,
  isByDiner: true,
  occurredAt: at(0),
  createdAt: at(0),
  terms: null,
};

/** A bill of 20.00, on which a till sold 5.00 at a time. */
function billSoldAt(createdAt: Date, redemptions: Redemption[]): LoadedBill {
  const sale = { total: 500, subtotal: 500, taken: 500, rounding: 0, pointsEarned: 0, pointsTaken: 0, refunded: 0 };
  const row = { state: 'open', total: 2_000, rounding: 0, paidAtTill: [], listedAtTill: null, updatedAt: at(0) };
  return {
    row: row as unknown as LoadedBill['row'],
    redemptions,
    payments: [],
    sold: [{ uid: 'u', transactionId: 's', customerId: null, createdAt, ...sale }],
  };
}

const inFive = { takeBackMinutes: 5 };

test('a diner cannot take back what the till relied on, nor its rest after a partial refund', () => {
  const rest = { ...redemption, amount: 300, createdAt: at(2) };
  expect(canTakeBack(billSoldAt(at(1), [redemption]), redemption, inFive, at(3))).toBe(false);
  expect(canTakeBack(billSoldAt(at(1), [rest]), rest, inFive, at(3))).toBe(false);
  const later = { ...redemption, occurredAt: at(2), createdAt: at(2) };
  expect(canTakeBack(billSoldAt(at(1), [later]), later, inFive, at(3))).toBe(true);
});
