import type { Merchant } from '../kernel/context';
import { formatReceipt, type ReceiptRow, type ReceiptWord } from '../kernel/receipt';
import { noValue, type Value } from '../ledger';
import { balanceOfPoints } from '../points';
import type { VoidEffect } from './schemas';
import type { VoidedMove } from './void-moves';
import { isUsableAt, type VoidPlan } from './void-plan';
import type { VoidRow } from './void-rows';
import type { VoucherChange } from './void-vouchers';

interface Voiding {
  merchant: Merchant;
  plan: VoidPlan;
  /** The transactions to void. Only completed ones have an effect. */
  rows: VoidRow[];
  /** What customers could spend before, by customer. */
  before: Map<string, Value>;
  vouchers: VoucherChange[];
  now: Date;
}

/** Returns what a void does, for each of its completed transactions by uid: what the till and the customer are told. */
export function effectsOf({ merchant, plan, rows, before, vouchers, now }: Voiding): Map<string, VoidEffect> {
  const changes = changesOf(plan, now);
  const effects = new Map<string, VoidEffect>();
  for (const row of rows.filter(({ status }) => status === 'completed')) {
    const { uid, keptId } = row;
    const still: VoidedMove = { returned: { ...noValue }, expired: { ...noValue }, taken: { ...noValue } };
    const after = keptId === null ? null : add(before.get(keptId) ?? noValue, changes.get(keptId) ?? noValue);
    const effect = {
      ...(plan.moves.get(uid) ?? still),
      shortfall: plan.shortfalls.get(uid) ?? 0,
      vouchers: vouchers
        .filter(({ transactionUid }) => transactionUid === uid)
        .map(({ voucherCode, becomes }) => ({ voucherCode, becomes })),
      storedValue: after && {
        balance: after.principal + after.bonus,
        principal: after.principal,
        bonus: after.bonus,
      },
      points: after && balanceOfPoints(after.points, merchant),
    };
    effects.set(uid, { ...effect, printText: formatReceipt(merchant, receiptRowsOf(row, effect)) });
  }
  return effects;
}

/** Returns how much each customer gains or loses of what can be spent. Expired lots never count. */
export function changesOf({ lots, entries }: VoidPlan, now: Date): Map<string, Value> {
  const usable = new Set(lots.filter((lot) => isUsableAt(lot, now)).map(({ id }) => id));
  const changes = new Map<string, Value>();
  for (const { transactionUid, customerId, lotId, part, amount } of entries) {
    // What expires of a revived lot could not be spent before either.
    if (transactionUid === null || !usable.has(lotId)) continue;
    const change = changes.get(customerId) ?? { ...noValue };
    change[part] += amount;
    changes.set(customerId, change);
  }
  return changes;
}

export const add = (a: Value, b: Value): Value => ({
  principal: a.principal + b.principal,
  bonus: a.bonus + b.bonus,
  points: a.points + b.points,
});

const voucherWords: Record<VoucherChange['becomes'], ReceiptWord> = {
  usable: 'voucherUsable',
  expired: 'voucherExpired',
  cancelled: 'voucherCancelled',
};

function receiptRowsOf({ type, amount }: VoidRow, effect: Omit<VoidEffect, 'printText'>): ReceiptRow[] {
  const { returned, expired, taken, shortfall, vouchers, storedValue, points } = effect;
  const money = (word: ReceiptWord, { principal, bonus }: Value, sign: 1 | -1): ReceiptRow[] =>
    principal + bonus === 0 ? [] : [[word, sign * (principal + bonus)]];
  const number = (word: ReceiptWord, count: number): ReceiptRow[] => (count === 0 ? [] : [[word, { count }]]);
  const value = [
    ...money('valueReturned', returned, 1),
    ...money('valueExpired', expired, 1),
    ...money('valueTaken', taken, -1),
  ];
  const ofPoints = [
    ...number('pointsReturned', returned.points),
    ...number('pointsExpired', expired.points),
    ...number('pointsTaken', -taken.points),
    ...number('pointsOwed', shortfall),
  ];
  return [
    ['voided', type === 'redeemPoints' ? { count: amount ?? 0 } : (amount ?? 0)],
    ...value,
    ...(value.length > 0 && storedValue ? ([['balance', storedValue.balance]] as const) : []),
    ...ofPoints,
    ...(ofPoints.length > 0 && points ? ([['points', { count: points.balance }]] as const) : []),
    ...vouchers.map(({ voucherCode, becomes }) => [voucherWords[becomes], voucherCode] as const),
  ];
}
