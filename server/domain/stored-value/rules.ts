import { DomainError, invalid } from '../kernel/errors';
import { percentageOf } from '../kernel/money';
import { say } from '../kernel/say';
import { maxMoney } from '../kernel/schemas';
import type { PackageInput, StoredValuePackage } from './schemas';

/**
 * Returns what a customer pays and gets as a bonus, in minor units. Errors: `invalid_request` for an amount that the
 * package does not allow, with the allowed ones in `details`.
 */
export function priceTopUp(
  offer: StoredValuePackage,
  requested: number | undefined,
  currency: string,
): { principal: number; bonus: number } {
  if (offer.kind === 'fixed') {
    const { amount, bonusAmount } = offer;
    if (amount === null || bonusAmount === null) throw new TypeError('a fixed package without its amounts');
    if (requested !== undefined && requested !== amount)
      throw invalid('amount', say('notPackageAmount', { amount: { minor: amount, currency } }), { amount });
    return { principal: amount, bonus: bonusAmount };
  }
  const { minAmount, maxAmount, bonusPercent } = offer;
  if (minAmount === null || maxAmount === null || bonusPercent === null)
    throw new TypeError('an open package without its range');
  const range = { minAmount, maxAmount };
  if (requested === undefined) throw invalid('amount', say('openAmountMissing'), range);
  if (requested < minAmount || requested > maxAmount) {
    const sentence = say('outOfRange', {
      minimum: { minor: minAmount, currency },
      maximum: { minor: maxAmount, currency },
    });
    throw invalid('amount', sentence, range);
  }
  return { principal: requested, bonus: percentageOf(requested, Math.round(bonusPercent * 100)) };
}

type PackagePrices =
  | Pick<Extract<PackageInput, { kind: 'fixed' }>, 'kind' | 'amount' | 'bonusAmount'>
  | Pick<Extract<PackageInput, { kind: 'open' }>, 'kind' | 'minAmount' | 'maxAmount' | 'bonusBasisPoints'>;

/** Returns example amounts paid and received, in minor units: for an open package, both ends of its range. */
export function examplesOf(prices: PackagePrices): { pays: number; receives: number }[] {
  if (prices.kind === 'fixed') return [{ pays: prices.amount, receives: prices.amount + prices.bonusAmount }];
  const { minAmount, maxAmount, bonusBasisPoints } = prices;
  const ends = minAmount === maxAmount ? [minAmount] : [minAmount, maxAmount];
  return ends.map((pays) => ({ pays, receives: pays + percentageOf(pays, bonusBasisPoints) }));
}

/** Errors: `balance_limit_exceeded` if the merchant's limit, or a balance's technical maximum, would be exceeded. */
export function checkBalanceLimit(
  before: number,
  credited: number,
  { balanceLimit, currency }: { balanceLimit: number | null; currency: string },
) {
  const most = balanceLimit ?? maxMoney;
  if (before + credited <= most) return;
  const sentence = say('balanceLimitExceeded', {
    limit: { minor: most, currency },
    balance: { minor: before, currency },
  });
  throw new DomainError('balance_limit_exceeded', sentence, { limit: most, balance: before, credited });
}

/** What is left of what a customer paid at one time, and of the bonus that came with it, in minor units. */
export interface CashableLot {
  lotId: string;
  remaining: number;
  /** Null if there is no bonus, or it is used up or has expired. */
  bonusLotId: string | null;
  bonusRemaining: number;
}

/** What is taken from a lot; positive. */
interface TakenValue {
  lotId: string;
  part: 'principal' | 'bonus';
  amount: number;
}

/** Returns the most that can be paid out. */
export const payableOf = (lots: CashableLot[]): number => lots.reduce((sum, { remaining }) => sum + remaining, 0);

/**
 * Returns what paying out `amount` takes, from the first lots first. Unless it is kept, the same share of a lot's bonus
 * lapses, rounded down; if all that is left of a lot is paid out, all of its bonus.
 */
export function cashOutOf(lots: CashableLot[], amount: number, keepsBonus: boolean): TakenValue[] {
  const taken: TakenValue[] = [];
  const lapsedFrom = new Set<string>();
  let left = amount;
  for (const { lotId, remaining, bonusLotId, bonusRemaining } of lots) {
    if (left === 0) break;
    const paid = Math.min(left, remaining);
    left -= paid;
    taken.push({ lotId, part: 'principal', amount: paid });
    // Value of several top-ups that came back after a merge may have one bonus lot.
    if (keepsBonus || bonusLotId === null || lapsedFrom.has(bonusLotId)) continue;
    lapsedFrom.add(bonusLotId);
    // Products of two amounts exceed what a number holds exactly.
    const lapsed = Number((BigInt(bonusRemaining) * BigInt(paid)) / BigInt(remaining));
    if (lapsed > 0) taken.push({ lotId: bonusLotId, part: 'bonus', amount: lapsed });
  }
  if (left > 0) throw new RangeError('more is paid out than is left');
  return taken;
}
