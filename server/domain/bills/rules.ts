/** What is due on a bill, and how it is shared. Pure; amounts are in minor units. */
import type { ListedAtTill } from '@/db/schema';
import { shareByWeight } from '../kernel/share';
import type { RedeemedTerms } from '../kernel/voucher-pricing';
import type { RedemptionType } from './schemas';
import {
  goodsOf,
  isAllSold,
  isListKnown,
  roundingOfParts,
  type SoldBill,
  type SoldPart,
  sumOf,
  unlistedParts,
  worthOfSold,
} from './sold-parts';

export interface Redemption {
  transactionId: string;
  type: RedemptionType;
  customerId: string;
  amount: number;
  isInDiscount: boolean;
  isVoided: boolean;
  /** True if it was redeemed on a phone, false at a till. */
  isByDiner: boolean;
  occurredAt: Date;
  /** When it was recorded. */
  createdAt: Date;
  /** Of a voucher, unless it was voided. */
  terms: RedeemedTerms | null;
}

export interface BillPayment {
  id: string;
  state: 'held' | 'released' | 'taken';
  amount: number;
  tip: number;
  keptAmount: number;
  keptTip: number;
  returnedAmount: number;
  pointsDueFor: number;
  pointsKeptFor: number;
  heldUntil: Date;
  createdAt: Date;
}

export interface Figures {
  redeemed: number;
  paid: number;
  tips: number;
  /** What is held by payments in progress. */
  held: number;
  /** What the till took with sales of parts of the bill. */
  sold: number;
  /** Cash rounding of sales, if the bill has none itself. */
  salesRounding: number;
  /** What the till took in all. Sales of the whole bill list what was paid before them, too: that counts once. */
  takenAtTill: number;
  /** What is left to pay after redemptions: the most that may be held and paid. */
  payable: number;
  due: number;
  overpaid: number;
  /** What of `overpaid` goes back to diners' cards when the bill is closed, as far as they have paid. */
  returnable: number;
  isPaid: boolean;
}

interface Account extends SoldBill {
  paidAtTill: { amount: number }[];
  listedAtTill: ListedAtTill | null;
  redemptions: Redemption[];
  payments: BillPayment[];
}

export const isHeld = ({ state, heldUntil }: Pick<BillPayment, 'state' | 'heldUntil'>, now: Date): boolean =>
  state === 'held' && heldUntil > now;

/** Adds up the redemptions and payments of an open bill. */
export function figuresOf(account: Account, now: Date): Figures {
  const { paidAtTill, sold: parts, redemptions, payments } = account;
  const salesRounding = roundingOfParts(account);
  const total = account.total + salesRounding;
  const amountOf = (one: { amount: number }) => one.amount;
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
  const taken = sumOf(paidAtTill, amountOf);
  const unlisted = sumOf(unlistedParts(account), amountOf);
  const sold = sumOf(parts, (part) => part.taken);
  const soldTotal = sumOf(parts, (part) => part.total);
  const whole = total + givenBack;
  // Sales and parts that are more than the bill together: the sales list the parts, too.
  const listed = isListKnown(account) ? 0 : Math.min(unlisted, Math.max(0, soldTotal + unlisted - whole));
  const takenAtTill = Math.max(taken, sold + unlisted - listed);
  const balance = whole - redeemed - paid - unlisted - sold;
  const all = redeemed + paid + takenAtTill;
  return {
    redeemed,
    paid,
    sold,
    salesRounding,
    takenAtTill,
    tips: sumOf(payments, ({ keptTip }) => keptTip),
    held: sumOf(
      payments.filter((one) => isHeld(one, now)),
      ({ amount }) => amount,
    ),
    payable: Math.max(0, balance + paid),
    due: Math.max(0, balance),
    overpaid: Math.max(0, all - worthOfSold(account, whole)),
    // Goods that were sold may be more than the till last sent, so a card gets back only what is too much in any case.
    returnable: Math.max(0, all - Math.max(whole, soldTotal)),
    isPaid: balance <= 0 && paid + taken + completed.length + parts.length > 0,
  };
}

/**
 * Once all goods are sold, the payments of the sales are all payments. So what the till took twice by our sum are parts that
 * it sent as `paidAtTill` and listed in a sale, too. They count once, also if the bill changes afterwards.
 */
export function listedBySales(account: Account, now: Date): ListedAtTill | null {
  const { subtotal, paidAtTill, listedAtTill, sold } = account;
  const goods = goodsOf(sold);
  const isListedBefore = listedAtTill !== null && goods <= listedAtTill.subtotal;
  if (isListedBefore) return goods === listedAtTill.subtotal ? listedAtTill : null;
  if (!isAllSold(sold, subtotal)) return listedAtTill;
  const { redeemed, paid, sold: taken } = figuresOf(account, now);
  const said = sumOf(paidAtTill, ({ amount }) => amount);
  let twice = redeemed + paid + taken + said - sumOf(sold, ({ total }) => total);
  const amounts: number[] = [];
  for (const { amount } of paidAtTill) {
    if (amount > twice) continue;
    twice -= amount;
    amounts.push(amount);
  }
  return { subtotal: goods, amounts };
}

interface RecordedRedemption {
  type: string | null;
  amount: number | null;
  answer: string | null;
}

/** What a redemption took off its bill. A redemption of points records points: their worth is in its response. */
export const worthOf = ({ type, amount, answer }: RecordedRedemption): number =>
  type === 'redeemPoints' ? JSON.parse(answer as string).amount : (amount as number);

/** The largest tip on an amount. It stops tips by mistake, and tips where none are offered. */
export const mostTip = (amount: number, { tipPercentages }: { tipPercentages: readonly number[] }): number =>
  tipPercentages.length > 0 ? amount : 0;

/** What may still be redeemed or newly held. */
export const availableOf = ({ due, held }: Figures): number => Math.max(0, due - held);

/**
 * Returns how much of each payment to keep so that `excess` is returned, from the newest payments first. A payment that
 * is returned in full includes its tip. `step` is the smallest amount that cards take; a remainder below it is rounded
 * in the payer's favour.
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
 * Splits what is due equally between payers. Parts differ by at most `step`, the smallest amount that can be paid (10
 * in currencies with three decimals). Only the first part may contain a remainder below it.
 */
export function equalParts(due: number, payers: number, step = 1): number[] {
  const steps = Math.floor(due / step);
  const parts = shareByWeight(
    steps,
    Array.from({ length: payers }, () => 1n),
  ).map((part) => part * step);
  return parts.map((part, n) => (n === 0 ? part + (due - steps * step) : part));
}

/**
 * Splits a bill's total between its lines. Each line gets its share of discount, service charge, tax and rounding, in
 * proportion to its amount. The parts add up to the total, so the chosen lines and the others together are the bill.
 */
export function partsOfLines(total: number, lines: { amount: number }[]): number[] {
  const weights = lines.map(({ amount }) => BigInt(amount));
  // If all lines are free of charge, they share any charges equally.
  return shareByWeight(total, weights.some((weight) => weight > 0n) ? weights : weights.map(() => 1n));
}

/** The part of a payment that goes back. */
export const returnedOf = ({ state, amount, tip, keptAmount, keptTip }: BillPayment): number =>
  state === 'taken' ? amount + tip - keptAmount - keptTip : 0;

/** The state shown for a payment that was taken or is held. */
export const shownState = ({ state, keptAmount, keptTip }: BillPayment): 'held' | 'paid' | 'returned' =>
  state !== 'taken' ? 'held' : keptAmount + keptTip > 0 ? 'paid' : 'returned';

/** What is still to be refunded of a payment. */
export const owedOf = (payment: BillPayment): number => returnedOf(payment) - payment.returnedAmount;

/**
 * Keeps less of a payment, so that at least `returned` goes back in total. The tip is kept until all of the amount has
 * gone back.
 */
export function keepLess<Payment extends BillPayment>(payment: Payment, returned: number): Payment {
  const mostKept = Math.max(0, payment.amount + payment.tip - returned);
  const keptTip = Math.min(payment.keptTip, mostKept);
  return { ...payment, keptTip, keptAmount: Math.min(payment.keptAmount, mostKept - keptTip) };
}

/** Records how much of a payment was refunded by now. If that is more than was owed, less of the payment is kept. */
export const withReturned = <Payment extends BillPayment>(payment: Payment, returned: number): Payment => ({
  ...keepLess(payment, returned),
  returnedAmount: Math.min(returned, payment.amount + payment.tip),
});

/**
 * What of the refunded money nobody has paid again when a bill is closed: the points that it earned in the bill's sales are
 * taken back. Returns it for each payment on which less is left than before.
 */
export function forgetPaidAgain(
  account: Account & { sold: SoldPart[] },
  now: Date,
): Pick<BillPayment, 'id' | 'pointsDueFor'>[] {
  const { sold, payments } = account;
  const { redeemed, paid, takenAtTill } = figuresOf(account, now);
  const counted = sumOf(sold, ({ refunded }) => refunded) + sumOf(payments, ({ pointsKeptFor }) => pointsKeptFor);
  let left = sumOf(sold, ({ total }) => total) - counted - redeemed - paid - takenAtTill;
  return payments.flatMap(({ id, pointsDueFor: before }) => {
    const pointsDueFor = Math.min(before, Math.max(0, left));
    left -= pointsDueFor;
    return pointsDueFor < before ? { id, pointsDueFor } : [];
  });
}
