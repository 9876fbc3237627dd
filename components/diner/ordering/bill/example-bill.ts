import type { DinerBill } from './types';

const line = (plu: string, quantity: number, amount: number) => ({ plu, name: plu, quantity, unitPrice: 0, amount });

/** A bill of tests: 30.00 with service charge and tax, nothing paid. */
export const exampleBill = (changed: Partial<DinerBill> = {}): DinerBill => ({
  state: 'open',
  sentAt: '2026-11-27T04:00:00.000Z',
  thanks: null,
  lines: [line('LAKSA', 3, 2_000), line('TEH', 1, 500)],
  subtotal: 2_500,
  discount: 0,
  serviceCharge: 250,
  tax: 250,
  rounding: 0,
  total: 3_000,
  redemptions: [],
  taxIncluded: [],
  paidAtTill: [],
  payments: [],
  redeemed: 0,
  paid: 0,
  held: 0,
  tips: 0,
  due: 3_000,
  available: 3_000,
  isSettling: false,
  overpaid: 0,
  ...changed,
});
