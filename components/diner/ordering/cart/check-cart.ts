import type { CategoryOnOffer, ItemOnOffer, OptionGroupOnOffer } from '@/server/domain/qr-ordering';
import { type CartLine, lineKey } from './cart';

/**
 * `gone`: no longer available, set aside. `options`: its options are no longer on offer, set aside, too. `price`: its
 * price differs from the one that the diner accepted.
 */
export type LineState = 'fine' | 'price' | 'options' | 'gone';

export interface CheckedLine {
  key: string;
  line: CartLine;
  /** Null if it has left the menu. */
  item: ItemOnOffer | null;
  /** The current price, in minor units. */
  unitPrice: number;
  state: LineState;
}

export interface CheckedCart {
  lines: CheckedLine[];
  /** The lines to be ordered. The others are in `aside`. */
  ready: CheckedLine[];
  aside: CheckedLine[];
  /** Lines of `ready` whose price is not accepted yet. */
  changed: CheckedLine[];
  /** For `ready`, at current prices. */
  count: number;
  total: number;
}

/** Returns the price of one unit with its options, at least 0. */
export function unitPriceOf({ price, optionGroups }: ItemOnOffer, optionIds: readonly string[]): number {
  const options = optionGroups.flatMap((group) => group.options).filter(({ id }) => optionIds.includes(id));
  return Math.max(
    0,
    options.reduce((sum, option) => sum + option.price, price),
  );
}

/** Returns how many more options of a group must be chosen. A negative number means that too many are chosen. */
export function missingOf({ minimum, maximum, options }: OptionGroupOnOffer, optionIds: readonly string[]): number {
  const chosen = options.filter(({ id }) => optionIds.includes(id)).length;
  if (chosen < minimum) return minimum - chosen;
  return Math.min(0, maximum - chosen);
}

function stateOf(line: CartLine, item: ItemOnOffer | null, unitPrice: number): LineState {
  if (!item || item.isSoldOut) return 'gone';
  const onOffer = item.optionGroups.flatMap(({ options }) => options.filter(({ isSoldOut }) => !isSoldOut));
  const areOnOffer = line.optionIds.every((id) => onOffer.some((option) => option.id === id));
  const areEnough = item.optionGroups.every((group) => missingOf(group, line.optionIds) === 0);
  if (!areOnOffer || !areEnough) return 'options';
  return unitPrice === line.unitPrice ? 'fine' : 'price';
}

/** Checks a cart against the current menu. */
export function checkCart(cartLines: readonly CartLine[], categories: readonly CategoryOnOffer[]): CheckedCart {
  const items = new Map(categories.flatMap((category) => category.items.map((item) => [item.plu, item])));
  const lines = cartLines.map((line): CheckedLine => {
    const item = items.get(line.plu) ?? null;
    const unitPrice = item ? unitPriceOf(item, line.optionIds) : line.unitPrice;
    return { key: lineKey(line), line, item, unitPrice, state: stateOf(line, item, unitPrice) };
  });
  const ready = lines.filter(({ state }) => state === 'fine' || state === 'price');
  return {
    lines,
    ready,
    aside: lines.filter((line) => !ready.includes(line)),
    changed: ready.filter(({ state }) => state === 'price'),
    count: ready.reduce((sum, { line }) => sum + line.quantity, 0),
    total: ready.reduce((sum, { line, unitPrice }) => sum + line.quantity * unitPrice, 0),
  };
}
