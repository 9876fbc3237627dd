import { useEffect, useRef } from 'react';
import type { Order } from '@/server/domain/qr-ordering';
import type { TableWords } from '../words';
import { orderText } from './order-list';

/** Announces an order's new state when it changes while the page is open. */
export function useOrderNews(orders: readonly Order[], words: TableWords, announce: (text: string) => void): void {
  const known = useRef(orders);
  useEffect(() => {
    const before = new Map(known.current.map(({ orderId, status }) => [orderId, status]));
    known.current = orders;
    const news = orders.find(({ orderId, status }) => before.has(orderId) && before.get(orderId) !== status);
    if (news) announce(orderText(news, words));
  }, [orders, words, announce]);
}
