/** Prices an order's lines by the current menu. */
import type { z } from 'zod';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { maxMoney } from '../kernel/schemas';
import type { ItemOnOffer, OptionOnOffer } from './menu-on-offer';
import type { newOrder, Order } from './schemas';

type RequestedLine = z.infer<typeof newOrder>['lines'][number];
type PricedLine = Order['lines'][number];

interface MatchedLine {
  requested: RequestedLine;
  item: ItemOnOffer;
  chosen: OptionOnOffer[];
}

/**
 * Prices each line: a unit costs the item plus its options, and never less than zero. Checks all lines before it
 * refuses any. Errors: `items_unavailable`, `options_changed`, `prices_changed`; `invalid_request` for an amount over
 * the maximum.
 */
export function priceLines(requested: RequestedLine[], items: ItemOnOffer[]): PricedLine[] {
  const matched = matchLines(requested, items);
  const lines = matched.map(({ requested: { plu, quantity, note }, item, chosen }) => {
    const unitPrice = Math.max(0, item.price + chosen.reduce((sum, { price }) => sum + price, 0));
    const options = chosen.map((option) => ({
      id: option.id,
      name: option.name,
      price: option.price,
      plu: option.plu,
    }));
    return { plu, name: item.name, quantity, unitPrice, amount: unitPrice * quantity, options, note };
  });
  const changed = lines.flatMap(({ unitPrice }, index) =>
    unitPrice === requested[index]?.unitPrice ? [] : [{ index, unitPrice }],
  );
  if (changed.length > 0) {
    throw new DomainError('prices_changed', say('pricesChanged'), { lines: changed });
  }
  if (totalOf(lines) > maxMoney) throw invalid('lines', say('orderTooLarge'));
  return lines;
}

/** Minor units. */
export const totalOf = (lines: { amount: number }[]): number => lines.reduce((sum, { amount }) => sum + amount, 0);

/** Finds each line's item and options. Errors: `items_unavailable`, `options_changed`. */
function matchLines(requested: RequestedLine[], items: ItemOnOffer[]): MatchedLine[] {
  const byPlu = new Map(items.map((item) => [item.plu, item]));
  const unavailable = new Set<string>();
  const matched = requested.flatMap((line) => {
    const item = byPlu.get(line.plu);
    if (!item || item.isSoldOut) {
      unavailable.add(line.plu);
      return [];
    }
    const options = item.optionGroups.flatMap((group) => group.options);
    const chosen = options.filter(({ id }) => line.optionIds.includes(id));
    for (const { plu, isSoldOut } of chosen) if (isSoldOut && plu !== null) unavailable.add(plu);
    return [{ requested: line, item, chosen }];
  });
  if (unavailable.size > 0) {
    const plus = [...unavailable];
    throw new DomainError('items_unavailable', say('itemsUnavailable', { plus: plus.join(', ') }), { plus });
  }
  const changed = matched.flatMap((line, index) => (isOnOffer(line) ? [] : [index]));
  if (changed.length > 0) {
    throw new DomainError('options_changed', say('optionsChanged'), { lines: changed });
  }
  return matched;
}

/** True if the item has every chosen option, and each group has an allowed number. */
const isOnOffer = ({ requested: { optionIds }, item, chosen }: MatchedLine) =>
  chosen.length === optionIds.length &&
  item.optionGroups.every(({ minimum, maximum, options }) => {
    const count = options.filter(({ id }) => optionIds.includes(id)).length;
    return count >= minimum && count <= maximum;
  });
