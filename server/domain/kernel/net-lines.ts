/** Fiscal tills may not delete a line: they take an item off by a line below zero. */

interface Line {
  plu: string;
  quantity: number;
  unitPrice: number;
  amount?: number | undefined;
}

type Netted<L extends Line> = L & { quantity: number; amount?: number | undefined };

const thousandths = (quantity: number) => Math.round(quantity * 1000);
const amountOf = ({ amount, quantity, unitPrice }: Line): number => amount ?? Math.round(quantity * unitPrice);

/**
 * Takes lines below zero off the other lines of their item, the last first, as far as they go. Each line keeps its place.
 * What was taken off whole and the lines below zero have quantity and amount 0.
 */
export function netLines<L extends Line>(lines: readonly L[]): Netted<L>[] {
  const net: Netted<L>[] = lines.map((line) => ({ ...line }));
  const below = net.filter(({ quantity }) => quantity < 0);
  for (const counter of below) {
    let [units, amount] = [-thousandths(counter.quantity), -amountOf(counter)];
    Object.assign(counter, { quantity: 0, amount: 0 });
    for (const line of net.toReversed()) {
      if (line.plu !== counter.plu || line.quantity <= 0 || units === 0) continue;
      const [held, paid] = [thousandths(line.quantity), amountOf(line)];
      const taken = Math.min(units, held);
      // Over several lines, each gives what its units cost, and the last one the rest.
      const cost = Math.min(amount, taken === units ? paid : Math.round((paid * taken) / held));
      Object.assign(line, { quantity: (held - taken) / 1000, amount: taken === held ? 0 : paid - cost });
      units -= taken;
      amount -= cost;
    }
  }
  return net;
}

/** How many units of a line can be told apart. A line below zero has none; a weighed item is one. */
export const unitsOf = ({ quantity }: Pick<Line, 'quantity'>): number =>
  quantity <= 0 ? 0 : Number.isSafeInteger(quantity) ? quantity : 1;

/** Counts the units of each item on a bill. */
export function countUnits(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of netLines(lines)) counts.set(line.plu, (counts.get(line.plu) ?? 0) + unitsOf(line));
  return counts;
}
