import { expect, test } from 'vitest';
import { formatMoneyIn } from '@/server/domain/kernel/money';
import words from '../../words/en/bill.json';
import { newsOf } from './bill-news';
import { exampleBill } from './example-bill';
import type { DinerBill } from './types';

type Payment = DinerBill['payments'][number];

const payment = (changed: Partial<Payment>): Payment => ({
  paymentId: null,
  state: 'paid',
  heldUntil: null,
  amount: 1_000,
  tip: 0,
  returned: 0,
  guestName: null,
  guestNumber: 2,
  isMine: false,
  ...changed,
});
const voucher = (isMine: boolean): DinerBill['redemptions'][number] => ({
  type: 'redeemVoucher',
  amount: 500,
  amountNow: null,
  isInDiscount: false,
  isVoided: false,
  isMine,
  canTakeBack: isMine,
  transactionId: isMine ? 'T-1' : null,
});

const before = exampleBill();
const news = (changed: Partial<DinerBill>, from: DinerBill = before) =>
  newsOf(from, exampleBill(changed), words, (amount) => formatMoneyIn('en-SG', amount, 'SGD'));

test.each<[string, Partial<DinerBill>]>([
  ['Guest 2 paid $10.00.', { payments: [payment({})] }],
  ['Mei paid $10.00.', { payments: [payment({ guestName: 'Mei' })] }],
  ['Someone is paying $10.00 now.', { payments: [payment({ state: 'held', guestNumber: null })] }],
  ['$5.00 was redeemed: Voucher.', { redemptions: [voucher(false)] }],
  ['The bill has changed. Left to pay: $40.00', { total: 4_000, due: 4_000 }],
  // This phone's own payment is shown separately.
  ['', { payments: [payment({ isMine: true })] }],
  ['', { redemptions: [voucher(true)] }],
  ['', {}],
])('others hear %j', (text, changed) => {
  expect(news(changed)).toBe(text);
});

test('a payment that was held is announced once more when it is paid, and others are not repeated', () => {
  const paid = payment({ guestNumber: 1 });
  const held = exampleBill({ payments: [paid, payment({ state: 'held' })] });
  expect(news({ payments: [paid, payment({})] }, held)).toBe('Guest 2 paid $10.00.');
  expect(news({ payments: held.payments }, held)).toBe('');
});

test('a redemption that was taken back is announced, with what is left to pay', () => {
  const redeemed = exampleBill({ redemptions: [voucher(false)], due: 2_500 });
  expect(news({}, redeemed)).toBe('$5.00 was given back.');
});
