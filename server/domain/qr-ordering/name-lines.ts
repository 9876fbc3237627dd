import type { CategoryOnOffer } from './menu-on-offer';
import type { TableOrder } from './orders';

/**
 * Names ordered dishes as the menu does, which is in the reader's language. An order is recorded in the merchant's
 * language, and dishes that are no longer on the menu keep that name.
 */
export function nameAsOnMenu(orders: TableOrder[], categories: CategoryOnOffer[]): TableOrder[] {
  const items = categories.flatMap((category) => category.items);
  const options = items.flatMap(({ optionGroups }) => optionGroups.flatMap((group) => group.options));
  const itemNames = new Map(items.map(({ plu, name }) => [plu, name]));
  const optionNames = new Map(options.map(({ id, name }) => [id, name]));
  return orders.map((order) => ({
    ...order,
    lines: order.lines.map((line) => ({
      ...line,
      name: itemNames.get(line.plu) ?? line.name,
      options: line.options.map((option) => ({ ...option, name: optionNames.get(option.id ?? '') ?? option.name })),
    })),
  }));
}
