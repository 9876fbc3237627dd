import { TRPCClientError } from '@trpc/client';
import type { DinerRouter } from '@/server/trpc/diner/router';
import { type BillWords, fillText } from '../../words';

/** Why a request was rejected, in the reader's language. */
export interface Refusal {
  /** The domain's error code; null if the service did not respond. */
  reason: string | null;
  text: string;
  isSignedOut: boolean;
}

const texts: Record<string, keyof BillWords> = {
  bill_closed: 'refusedClosed',
  bill_not_found: 'refusedClosed',
  qr_code_closed: 'refusedClosed',
  qr_code_not_found: 'refusedClosed',
  customer_blocked: 'blocked',
  insufficient_balance: 'refusedBalance',
  insufficient_points: 'refusedBalance',
  minimum_points_not_met: 'refusedBalance',
  pin_not_set: 'pinNotSet',
  pin_required: 'pinMissing',
  pin_locked: 'pinLocked',
  voucher_not_found: 'refusedVoucher',
  voucher_redeemed: 'refusedVoucher',
  voucher_expired: 'refusedVoucher',
  voucher_not_applicable: 'refusedVoucher',
  voucher_not_stackable: 'refusedVoucher',
  minimum_spend_not_met: 'refusedVoucher',
  card_payment_unavailable: 'refusedCard',
  service_unavailable: 'refusedAway',
  transaction_voided: 'refusedUndo',
  transaction_not_found: 'refusedUndo',
  bill_paid: 'refusedUndo',
  bill_settling: 'settling',
  not_offered: 'refusedOff',
  bill_payment_over: 'refusedPayment',
  rate_limited: 'tooMany',
  too_many_attempts: 'tooMany',
};

/** Turns an error of a request about the bill into a text for the diner. */
export function readRefusal(error: unknown, words: BillWords, money: (amountMinor: number) => string): Refusal {
  const data = error instanceof TRPCClientError ? (error as TRPCClientError<DinerRouter>).data : null;
  if (!data) return { reason: null, text: words.offline, isSignedOut: false };
  const { reason, code, details } = data;
  const isSignedOut = code === 'UNAUTHORIZED';
  if (reason === 'bill_due_exceeded') {
    const left = Math.max(0, Number(details.due ?? 0) - Number(details.held ?? 0));
    return { reason, text: fillText(words.refusedDue, { amount: money(left) }), isSignedOut };
  }
  if (reason === 'offer_changed') {
    return { reason, text: fillText(words.refusedOffer, { amount: money(Number(details.amount)) }), isSignedOut };
  }
  if (reason === 'pin_invalid') {
    return { reason, text: fillText(words.pinWrong, { count: Number(details.attemptsLeft) }), isSignedOut };
  }
  const key = reason === null ? undefined : texts[reason];
  return { reason, text: String(words[key ?? (isSignedOut ? 'signIn' : 'failed')]), isSignedOut };
}
