import { useEffect, useRef } from 'react';
import type { Order } from '@/server/domain/qr-ordering/schemas';
import { fill, type TableWords } from '../diner/words';
import { statusText } from './order-list';

/** Says how an order is doing when that changes under the open page. */
export function useOrderNews(orders: readonly Order[], words: TableWords, say: (text: string) => void): void {
  const known = useRef(orders);
  useEffect(() => {
    const before = new Map(known.current.map(({ orderId, status }) => [orderId, status]));
    known.current = orders;
    const news = orders.find(({ orderId, status }) => before.has(orderId) && before.get(orderId) !== status);
    if (news) say(`${fill(words.order, { number: news.number })}: ${statusText(news.status, words)}`);
  }, [orders, words, say]);
}
