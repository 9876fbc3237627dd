/** What a diner chooses to pay, in minor units. Pure. */
import { parseAmount } from '@/components/form/parse-amount';
import { equalParts, mostTip, partsOfLines } from '@/server/domain/bills/rules';
import { type CardLimits, cardLimits, roundingUp } from '@/server/domain/kernel/card-currencies';
import { minorDigits, percentageOf } from '@/server/domain/kernel/money';
import { netLines, unitsOf } from '@/server/domain/kernel/net-lines';
import { shareByWeight } from '@/server/domain/kernel/share';
import type { BillLine, DinerBill } from './types';

/**
 * An equal part of what the table pays: of what is due, plus what was paid by phone and at the till. So the parts stay equal
 * while one after the other is paid. The last phone pays what is left, with a rest that is too little for cards.
 */
export function equalShare(
  { due, paid, paidAtTill, available }: Pick<DinerBill, 'due' | 'paid' | 'paidAtTill' | 'available'>,
  payers: number,
  { step, minimum }: Pick<CardLimits, 'step' | 'minimum'>,
) {
  const shared = due + paid + takenAtTill({ paidAtTill });
  const part = wholeSteps(equalParts(shared, payers, step)[0] ?? 0, step);
  return available - part < minimum ? available : part;
}

const wholeSteps = (exact: number, step: number) => exact - (exact % step);

/** What the till has taken so far. */
export const takenAtTill = ({ paidAtTill }: Pick<DinerBill, 'paidAtTill'>): number =>
  paidAtTill.reduce((sum, { amount }) => sum + amount, 0);

/** How many units of each line were paid at the till, and can't be chosen any more. */
export const paidUnitsOf = ({ lines, paidAtTill }: Pick<DinerBill, 'lines' | 'paidAtTill'>): number[] =>
  matchUnits(
    lines,
    paidAtTill.flatMap((one) => one.lines),
  );

/** The amount of the chosen units, with each line's part of discount, service charge and tax. */
export function linesShare(
  { total, lines, available }: Pick<DinerBill, 'total' | 'lines' | 'available'>,
  chosen: number[],
) {
  const net = netLines(lines);
  const sum = partsOfLines(total, net).reduce((before, part, at) => {
    const units = unitsOf(net[at] as BillLine);
    const parts = shareByWeight(
      part,
      Array.from({ length: units }, () => 1n),
    );
    return before + parts.slice(0, chosen[at] ?? 0).reduce((all, one) => all + one, 0);
  }, 0);
  return Math.min(available, sum);
}

/** How many units of each line are among `items`: a payment at the till names only the item. */
function matchUnits(lines: readonly BillLine[], items: readonly { plu: string; quantity: number }[]): number[] {
  const left = new Map<string, number>();
  for (const { plu, quantity } of items) left.set(plu, (left.get(plu) ?? 0) + quantity);
  return netLines(lines).map((line) => {
    const matched = Math.min(left.get(line.plu) ?? 0, unitsOf(line));
    left.set(line.plu, (left.get(line.plu) ?? 0) - matched);
    return matched;
  });
}

export type Share = 'all' | 'equal' | 'lines' | 'amount';
/** A percentage, or another amount. */
export type Tip = number | 'other';

/** What the diner has chosen so far. */
export interface PaymentForm {
  share: Share;
  payers: number;
  /** The number of chosen units of each line. */
  units: number[];
  /** As typed. */
  amount: string;
  tip: Tip;
  /** As typed. */
  tipAmount: string;
}

interface Offers {
  currency: string;
  tipPercentages: readonly number[];
}

/**
 * The chosen amount and tip, as cards take them; null for a missing or invalid one. `rounding` is on top, so that cards take the
 * sum: only on all that is left, because otherwise the amount itself is a whole step.
 */
export function sumsOf(bill: DinerBill, chosen: PaymentForm, { currency, tipPercentages }: Offers) {
  const { share: by, payers, units, amount: typed, tip, tipAmount } = chosen;
  const [digits, limits] = [minorDigits(currency), cardLimits(currency)];
  const shares: Record<Share, () => number | null> = {
    all: () => bill.available,
    equal: () => equalShare(bill, payers, limits),
    lines: () => linesShare(bill, units),
    amount: () => parseAmount(typed, digits),
  };
  const wanted = shares[by]() ?? 0;
  const read = wanted === bill.available ? wanted : wholeSteps(wanted, limits.step);
  const amount = read >= limits.minimum && read <= bill.available ? read : null;
  const rounding = roundingUp(amount ?? 0, limits);
  if (tip !== 'other') return { amount, rounding, tip: tipOf(amount ?? 0, tip, currency) };
  const own = parseAmount(tipAmount || '0', digits);
  const most = mostTip(amount ?? 0, { tipPercentages });
  return { amount, rounding, tip: own !== null && own >= 0 && own <= most ? wholeSteps(own, limits.step) : null };
}

/** A percentage of an amount, as cards take it. */
export const tipOf = (amount: number, percentage: number, currency: string): number =>
  wholeSteps(percentageOf(amount, percentage * 100), cardLimits(currency).step);

/** What nobody can pay by card once `amount` is paid; 0 if there is nothing like that. */
export function tooLittleLeft({ available }: Pick<DinerBill, 'available'>, amount: number, currency: string): number {
  const left = available - amount;
  return left < cardLimits(currency).minimum ? left : 0;
}
