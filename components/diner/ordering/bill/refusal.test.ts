import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { formatMoneyIn } from '@/server/domain/kernel/money';
import words from '../../words/en/bill.json';
import { readRefusal } from './refusal';

const read = (data: object | null) => {
  const error = data ? Object.assign(new TRPCClientError('refused'), { data }) : new TypeError('Failed to fetch');
  return readRefusal(error, words, (amount) => formatMoneyIn('en-SG', amount, 'SGD'));
};
const refused = (reason: string, details: object = {}) => read({ reason, code: 'BAD_REQUEST', details }).text;

test('a refusal says what is left, or how many attempts', () => {
  // Amounts that others hold can't be paid either.
  expect(refused('bill_due_exceeded', { due: 2_000, held: 1_250 })).toBe(
    'Someone was faster: only $7.50 is left to pay now.',
  );
  expect(refused('pin_invalid', { attemptsLeft: 3 })).toBe('The PIN is incorrect. Attempts left: 3.');
});

test('each refusal has a text of its own, and one that is not known a general one', () => {
  expect(refused('bill_closed')).toBe(words.refusedClosed);
  expect(refused('voucher_redeemed')).toBe(words.refusedVoucher);
  expect(refused('service_unavailable')).toBe(words.refusedAway);
  expect(refused('something_new')).toBe(words.failed);
});

test('no answer and no session are told apart', () => {
  expect(read(null)).toEqual({ reason: null, text: words.offline, isSignedOut: false });
  expect(read({ reason: null, code: 'UNAUTHORIZED', details: {} })).toMatchObject({ isSignedOut: true });
});
