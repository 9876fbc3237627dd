import type { PriceNote } from '@/components/diner/price-note';
import type { OpenTable, Order } from '@/server/domain/qr-ordering';

/** An order, with the phone that sent it, if known. */
export type SeenOrder = Order & Partial<Pick<OpenTable['orders'][number], 'guestNumber' | 'isMine'>>;

/** What a phone last saw of its table's orders. Once the table has closed, the service no longer shows them. */
export interface SavedBill {
  merchant: OpenTable['merchant'];
  store: OpenTable['store'];
  /** In the language of that time. */
  priceNote: PriceNote;
  /** Oldest first. */
  orders: SeenOrder[];
  /** When it was seen, on `Date.now()`'s clock. */
  seenAt: number;
}

/** By token, for the life of the page, because some browsers deny storage. */
export const savedBills = new Map<string, SavedBill>();

/** Keeps what the table's page shows. */
export function keepBill(token: string, { merchant, store, priceNote, orders }: Omit<SavedBill, 'seenAt'>): void {
  const bill = { merchant, store, priceNote, orders, seenAt: Date.now() };
  savedBills.set(token, bill);
  try {
    localStorage.setItem(`bill:${token}`, JSON.stringify(bill));
  } catch {}
}

/** Adds an order of this phone to the record, because its table may close before the page is read again. */
export function keepOrder(token: string, order: Order): void {
  const bill = savedBills.get(token);
  if (bill && !bill.orders.some(({ orderId }) => orderId === order.orderId)) {
    keepBill(token, { ...bill, orders: [...bill.orders, { ...order, isMine: true }] });
  }
}
