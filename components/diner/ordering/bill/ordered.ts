/** What phones have ordered, compared with the lines of the till's bill, which name only the item. Pure. */
import { countUnits, netLines, unitsOf } from '@/server/domain/kernel/net-lines';
import type { BillLine, DinerBill } from './types';

/** An order of a phone at the bill's table. */
interface Ordered {
  status: string;
  isMine: boolean;
  placedAt: string;
  lines: { plu: string; quantity: number; unitPrice: number; onBillBefore: number | null }[];
}

/**
 * Finds orders on the bill. Units that were on it before an order are not the order's. `mine`: the units of each line that
 * this phone has ordered. `missing`: how many orders are not on the bill, or not with all items, and what these cost. Once
 * the till has sent the bill again after an order was accepted, that order counts as on the bill, even if its lines differ.
 */
export function compareWithOrders({ lines, sentAt }: Pick<DinerBill, 'lines' | 'sentAt'>, orders: readonly Ordered[]) {
  const counts = countUnits(lines);
  const next = new Map<string, number>();
  const mine = new Map<string, Set<number>>();
  const missing = { orders: 0, amount: 0 };
  for (const { status, isMine, placedAt, lines: ordered } of orders) {
    if (status === 'cancelled') continue;
    let amount = 0;
    let isMissing = false;
    for (const { plu, quantity, unitPrice, onBillBefore } of ordered) {
      const from = Math.max(onBillBefore ?? 0, next.get(plu) ?? 0);
      const found = Math.max(0, Math.min((counts.get(plu) ?? 0) - from, quantity));
      if (found > 0) next.set(plu, from + found);
      if (isMine) mine.set(plu, union(mine.get(plu), from, found));
      amount += (quantity - found) * unitPrice;
      isMissing ||= found < quantity;
    }
    if (!isMissing || (status !== 'placed' && sentAt > placedAt)) continue;
    missing.orders += 1;
    missing.amount += amount;
  }
  return { mine: placeUnits(lines, mine), missing };
}

const union = (units: ReadonlySet<number> = new Set(), from: number, count: number) =>
  new Set([...units, ...Array.from({ length: count }, (_, at) => from + at)]);

/** Counts, of each line, the units whose number in the item's row is among `chosen`. */
function placeUnits(lines: readonly BillLine[], chosen: Map<string, Set<number>>): number[] {
  const before = new Map<string, number>();
  return netLines(lines).map((line) => {
    const from = before.get(line.plu) ?? 0;
    before.set(line.plu, from + unitsOf(line));
    return [...(chosen.get(line.plu) ?? [])].filter((unit) => unit >= from && unit < from + unitsOf(line)).length;
  });
}
