import type { Stations, StoreOrder } from '@/server/domain/qr-ordering';

/** An order as one station sees it. */
export interface StationOrder extends StoreOrder {
  /** How many items other stations make. */
  otherItems: number;
}

/** The orders with something for a station, with its lines alone; all orders if none is chosen. */
export function atStation(
  orders: StoreOrder[],
  station: string | null,
  { ofItem }: Pick<Stations, 'ofItem'>,
): StationOrder[] {
  if (station === null) return orders.map((order) => ({ ...order, otherItems: 0 }));
  return orders.flatMap((order) => {
    const lines = order.lines.filter(({ plu }) => ofItem[plu] === station);
    if (lines.length === 0) return [];
    const count = (all: { quantity: number }[]) => all.reduce((sum, { quantity }) => sum + quantity, 0);
    return [{ ...order, lines, otherItems: count(order.lines) - count(lines) }];
  });
}
