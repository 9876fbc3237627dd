import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { randomId } from '../random-id';
import { type Cart, type CartAction, type CartLine, emptyCart, type PendingOrder } from './cart/cart';
import { keepOrder } from './cart/keep-bill';
import { deliverOrders, type Outcome, pauseUntilBetter } from './cart/outbox';
import { openCart } from './cart/saved-cart';
import { type Guest, readGuest } from './guest';

/** The service's input. It compares the accepted price with the current one, and never charges it. */
const toNewOrder = ({ clientOrderId, note, lines }: PendingOrder, guest: Guest) => ({
  ...guest,
  clientOrderId,
  note,
  lines: lines.map(({ plu, quantity, optionIds, note, unitPrice }: CartLine) => ({
    plu,
    quantity,
    optionIds,
    note,
    unitPrice,
  })),
});

/**
 * The state of the pending order: `waiting` for a connection, not sent yet; `silent` without a response so far; `held`
 * until the diner confirms it.
 */
export type DeliveryState = 'waiting' | 'sending' | 'silent' | 'held';

interface OpenCart {
  cart: Cart;
  change(action: CartAction): void;
  forget(): void;
  /** Orders these lines: saves the order, then sends it until its outcome is known. */
  order(keys: string[]): void;
  delivery: DeliveryState;
}

/**
 * This phone's cart for a table, with its pending order. `table` is null once the table has closed. Then the pending
 * order's outcome is found out, and what was not sent stays in the cart to be shown.
 */
export function useCart(
  client: DinerClient,
  token: string,
  table: OpenTable | null,
  onOutcome: (outcome: Outcome) => void,
): OpenCart {
  const saved = useMemo(() => openCart(token), [token]);
  const cart = useSyncExternalStore(saved.follow, saved.read, () => emptyCart);
  const [delivery, setDelivery] = useState<DeliveryState>('sending');
  const reportOutcome = useRef(onOutcome);
  reportOutcome.current = onOutcome;

  const merchantId = useRef(table?.merchantId);
  merchantId.current ??= table?.merchantId;

  const { clientOrderId: pendingId, askedAt } = cart.pending ?? {};
  const isOpen = table !== null;
  const isPlaced = table?.orders.some(({ clientOrderId }) => clientOrderId === pendingId);
  // Runs before sending, because an order that the table already has needs no question.
  useEffect(() => {
    if (!pendingId || !isPlaced) return;
    saved.change({ type: 'placed', clientOrderId: pendingId });
    reportOutcome.current({ kind: 'placed' });
  }, [saved, pendingId, isPlaced]);

  useEffect(() => {
    const { pending } = saved.read();
    if (!pending || pending.clientOrderId !== pendingId || pending.askedAt !== askedAt) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    deliverOrders(pending, {
      send: async (order) => {
        if (navigator.onLine) saved.change({ type: 'sent', clientOrderId: order.clientOrderId });
        const placed = await client.table.placeOrder.mutate(toNewOrder(order, readGuest(token)), { signal });
        keepOrder(token, placed);
        const { current: id } = merchantId;
        if (id)
          import('./cart/ordered-before').then(
            ({ keepOrdered }) => keepOrdered(id, order.lines),
            () => {},
          );
      },
      pause: (ms) => pauseUntilBetter(ms, signal),
      onSilence: () => setDelivery('silent'),
      signal,
    }).then((outcome) => {
      // Another tab got the outcome and has announced it.
      if (!outcome || signal.aborted) return;
      if (outcome.kind === 'held') setDelivery('held');
      else saved.change({ type: outcome.kind, clientOrderId: pending.clientOrderId });
      reportOutcome.current(outcome);
    });
    return () => {
      leaving.abort();
      setDelivery('sending');
    };
  }, [client, token, saved, pendingId, askedAt]);

  useEffect(() => {
    if (isOpen) saved.forgetOthers();
  }, [saved, isOpen]);
  useEffect(() => {
    if (isOpen || delivery !== 'held' || !pendingId) return;
    // A closed table accepts no order. Sending a late one only finds out whether it was placed before.
    saved.change({ type: 'askAgain', clientOrderId: pendingId, askedAt: Date.now() });
  }, [saved, isOpen, pendingId, delivery]);

  return {
    cart,
    change: saved.change,
    forget: saved.forget,
    order: (keys) => saved.change({ type: 'freeze', clientOrderId: randomId(), keys, askedAt: Date.now() }),
    delivery,
  };
}
