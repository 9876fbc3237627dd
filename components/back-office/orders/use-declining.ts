import { useState } from 'react';

/**
 * The orders that staff are asked to decline: those chosen when the dialog opened, even if the list changes. The
 * dialog closes by itself once none of them is among `waiting`.
 */
export function useDeclining<Order extends { orderId: string }>(waiting: Order[]) {
  const [isAsked, setAsked] = useState(false);
  // Kept after closing, because the dialog shows them while it fades out.
  const [orders, setOrders] = useState<Order[]>([]);
  const isOpen = isAsked && orders.some(({ orderId }) => waiting.some((one) => one.orderId === orderId));
  const ask = (chosen: Order[]) => {
    setOrders(chosen);
    setAsked(true);
  };
  return { isOpen, orders, ask, close: () => setAsked(false) };
}
