import { useEffect, useRef } from 'react';
import type { Order } from '@/server/domain/qr-ordering';
import type { TableWords } from '../words';
import { orderText } from './order-text';

/** An order that waited for staff has a number only once it is accepted. */
const stateOf = ({ number, status }: Order) => (number < 0 ? `held ${status}` : status);

/** Announces an order's new state when it changes while the page is open. */
export function useOrderNews(orders: readonly Order[], words: TableWords, announce: (text: string) => void): void {
  const known = useRef(orders);
  useEffect(() => {
    const before = new Map(known.current.map((order) => [order.orderId, stateOf(order)]));
    known.current = orders;
    const news = orders.find((order) => before.has(order.orderId) && before.get(order.orderId) !== stateOf(order));
    if (news) announce(orderText(news, words));
  }, [orders, words, announce]);
}
