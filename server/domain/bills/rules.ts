/** What is due on a bill, and how it is shared. Pure; amounts are in minor units. */
import { share } from '../kernel/share';
import type { RedemptionType } from './schemas';

export interface Redemption {
  transactionId: string;
  type: RedemptionType;
  customerId: string;
  amount: number;
  isInDiscount: boolean;
  isVoided: boolean;
  /** Whether it was redeemed on a phone, not at a till. */
  isByDiner: boolean;
  occurredAt: Date;
}

export interface BillPayment {
  id: string;
  state: 'held' | 'released' | 'taken';
  amount: number;
  tip: number;
  keptAmount: number;
  keptTip: number;
  returnedAmount: number;
  heldUntil: Date;
  createdAt: Date;
}

export interface Figures {
  redeemed: number;
  paid: number;
  tips: number;
  /** Being paid now. */
  held: number;
  /** What redemptions leave to be paid: the most that may be held and paid. */
  payable: number;
  due: number;
  overpaid: number;
  isPaid: boolean;
}

interface Account {
  total: number;
  redemptions: Redemption[];
  payments: BillPayment[];
}

const sumOf = <T>(rows: T[], amountOf: (row: T) => number): number => rows.reduce((sum, row) => sum + amountOf(row), 0);

export const isHeld = ({ state, heldUntil }: Pick<BillPayment, 'state' | 'heldUntil'>, now: Date): boolean =>
  state === 'held' && heldUntil > now;

/** Adds up what was redeemed and paid on an open bill. */
export function figuresOf({ total, redemptions, payments }: Account, now: Date): Figures {
  const amountOf = (one: Redemption) => one.amount;
  const completed = redemptions.filter(({ isVoided }) => !isVoided);
  const redeemed = sumOf(
    completed.filter(({ isInDiscount }) => !isInDiscount),
    amountOf,
  );
  const givenBack = sumOf(
    redemptions.filter(({ isVoided, isInDiscount }) => isVoided && isInDiscount),
    amountOf,
  );
  const paid = sumOf(payments, ({ keptAmount }) => keptAmount);
  const balance = total + givenBack - redeemed - paid;
  return {
    redeemed,
    paid,
    tips: sumOf(payments, ({ keptTip }) => keptTip),
    held: sumOf(
      payments.filter((one) => isHeld(one, now)),
      ({ amount }) => amount,
    ),
    payable: Math.max(0, balance + paid),
    due: Math.max(0, balance),
    overpaid: Math.max(0, -balance),
    isPaid: balance <= 0 && paid + completed.length > 0,
  };
}

/** The largest tip on an amount: nobody tips more than that by mistake, or where no tips are offered. */
export const mostTip = (amount: number, { tipPercentages }: { tipPercentages: readonly number[] }): number =>
  tipPercentages.length > 0 ? amount : 0;

/** What may still be redeemed, or begun to be paid. */
export const availableOf = ({ due, held }: Figures): number => Math.max(0, due - held);

/**
 * Returns what to keep of each payment so that `excess` is returned, as far as they go: the newest first. One that is
 * returned whole takes its tip along. `step` is the smallest amount that cards take: what it does not fit is rounded in
 * the payer's favour.
 */
export function returnExcess(
  payments: BillPayment[],
  excess: number,
  step = 1,
): Pick<BillPayment, 'id' | 'keptAmount' | 'keptTip'>[] {
  let left = excess;
  const changed: Pick<BillPayment, 'id' | 'keptAmount' | 'keptTip'>[] = [];
  for (const { id, keptAmount, keptTip } of payments.toReversed()) {
    const returned = Math.min(Math.ceil(Math.min(left, keptAmount) / step) * step, keptAmount);
    left -= Math.min(left, returned);
    const isWhole = returned === keptAmount;
    if (returned > 0) changed.push({ id, keptAmount: keptAmount - returned, keptTip: isWhole ? 0 : keptTip });
  }
  return changed;
}

/**
 * Splits what is due equally between payers: no two parts differ by more than `step`, the smallest amount that can be paid
 * (10 where cards take no fils), but for the first, which has what no step fits.
 */
export function equalParts(due: number, payers: number, step = 1): number[] {
  const steps = Math.floor(due / step);
  const parts = share(
    steps,
    Array.from({ length: payers }, () => 1n),
  ).map((part) => part * step);
  return parts.map((part, n) => (n === 0 ? part + (due - steps * step) : part));
}

/**
 * Splits a bill's total between its lines: each has its part of discount, service charge, tax and rounding, in proportion
 * to its amount. The parts add up to the total, so chosen lines and the others together are the bill.
 */
export function partsOfLines(total: number, lines: { amount: number }[]): number[] {
  const weights = lines.map(({ amount }) => BigInt(amount));
  // If all lines are free of charge, they share what there is equally.
  return share(total, weights.some((weight) => weight > 0n) ? weights : weights.map(() => 1n));
}

/** What goes back of a payment. */
export const returnedOf = ({ state, amount, tip, keptAmount, keptTip }: BillPayment): number =>
  state === 'taken' ? amount + tip - keptAmount - keptTip : 0;

/** Of a payment that was taken, or is held. */
export const shownState = ({ state, keptAmount, keptTip }: BillPayment): 'held' | 'paid' | 'returned' =>
  state !== 'taken' ? 'held' : keptAmount + keptTip > 0 ? 'paid' : 'returned';

/** What of a payment is still to be given back. */
export const owedOf = (payment: BillPayment): number => returnedOf(payment) - payment.returnedAmount;

/**
 * Keeps less of a payment, so that at least `returned` of it goes back in all. The tip is kept until all of the amount has
 * gone back.
 */
export function keepLess<Payment extends BillPayment>(payment: Payment, returned: number): Payment {
  const mostKept = Math.max(0, payment.amount + payment.tip - returned);
  const keptTip = Math.min(payment.keptTip, mostKept);
  return { ...payment, keptTip, keptAmount: Math.min(payment.keptAmount, mostKept - keptTip) };
}

/** Counts what was given back of a payment by now. Where it is more than was owed, less of the payment is kept. */
export const withReturned = <Payment extends BillPayment>(payment: Payment, returned: number): Payment => ({
  ...keepLess(payment, returned),
  returnedAmount: Math.min(returned, payment.amount + payment.tip),
});
