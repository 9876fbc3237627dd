import type { CategoryOnOffer, ItemOnOffer, OptionGroupOnOffer } from '@/server/domain/qr-ordering/menu-on-offer';
import { type CartLine, lineKey } from './cart';

/**
 * `gone`: not to be had, and kept aside. `options`: its choices are no longer on offer, likewise. `price`: it costs
 * something else than the diner has agreed to.
 */
export type LineState = 'fine' | 'price' | 'options' | 'gone';

export interface CheckedLine {
  key: string;
  line: CartLine;
  /** Null where it has left the menu. */
  item: ItemOnOffer | null;
  /** What it costs now, in minor units. */
  unitPrice: number;
  state: LineState;
}

export interface CheckedCart {
  lines: CheckedLine[];
  /** What would be ordered; `aside` would not. */
  ready: CheckedLine[];
  aside: CheckedLine[];
  /** Those of `ready` whose price is not agreed to. */
  changed: CheckedLine[];
  /** For `ready`, at today's prices. */
  count: number;
  total: number;
}

/** The price of one, with its options: never less than nothing. */
export function unitPriceOf({ price, optionGroups }: ItemOnOffer, optionIds: readonly string[]): number {
  const options = optionGroups.flatMap((group) => group.options).filter(({ id }) => optionIds.includes(id));
  return Math.max(
    0,
    options.reduce((sum, option) => sum + option.price, price),
  );
}

/** How many more of a group have to be chosen; below zero, how many are too many. */
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

/** What a cart comes to on today's menu. */
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
