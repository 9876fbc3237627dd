import type { LotChange } from '../ledger';

/** What is left of what a customer paid at one time, and of the bonus that came with it, in minor units. */
export interface CashableLot {
  lotId: string;
  remaining: number;
  /** Null if there is no bonus, or it is used up or has expired. */
  bonusLotId: string | null;
  bonusRemaining: number;
}

/** Returns the most that can be paid out. */
export const payableOf = (lots: CashableLot[]): number => lots.reduce((sum, { remaining }) => sum + remaining, 0);

/**
 * Returns what paying out `amount` takes, from the first lots first. Unless it is kept, the same share of a lot's bonus
 * lapses, rounded down; if all that is left of a lot is paid out, all of its bonus.
 */
export function cashOutOf(lots: CashableLot[], amount: number, keepsBonus: boolean): LotChange[] {
  const taken: LotChange[] = [];
  let left = amount;
  for (const { lotId, remaining, bonusLotId, bonusRemaining } of lots) {
    if (left === 0) break;
    const paid = Math.min(left, remaining);
    left -= paid;
    taken.push({ lotId, part: 'principal', amount: paid });
    if (keepsBonus || bonusLotId === null) continue;
    // Products of two amounts exceed what a number holds exactly.
    const lapsed = Number((BigInt(bonusRemaining) * BigInt(paid)) / BigInt(remaining));
    if (lapsed > 0) taken.push({ lotId: bonusLotId, part: 'bonus', amount: lapsed });
  }
  if (left > 0) throw new RangeError('more is paid out than is left');
  return taken;
}
