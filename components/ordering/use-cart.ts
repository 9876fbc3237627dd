import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering/table-page';
import type { DinerClient } from '../diner/diner-client';
import { randomId } from '../diner/random-id';
import { type Cart, type CartAction, type CartLine, emptyCart, type PendingOrder } from './cart/cart';
import { deliver, type Outcome, pauseUntilBetter } from './cart/outbox';
import { openCart } from './cart/saved-cart';

/** As the service reads it. The price is what was agreed to: it is compared, and never charged. */
const toNewOrder = ({ clientOrderId, note, lines }: PendingOrder) => ({
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

/** How it is with the order that is under way: `silent` without an answer so far, `held` until the diner still wants it. */
export type DeliveryState = 'sending' | 'silent' | 'held';

interface OpenCart {
  cart: Cart;
  change(action: CartAction): void;
  /** Orders these lines: kept first, then sent until an answer is known. */
  order(keys: string[]): void;
  delivery: DeliveryState;
}

/**
 * This phone's cart for a table, and the order that it has under way. `table` is null once it has closed: then the cart is
 * forgotten, though not before it is known what became of that order.
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
  const tell = useRef(onOutcome);
  tell.current = onOutcome;

  const { clientOrderId: pendingId, askedAt } = cart.pending ?? {};
  const isOpen = table !== null;
  const hasArrived = table?.orders.some(({ clientOrderId }) => clientOrderId === pendingId);
  // Before it is sent: of what the table has ordered, nothing is to be asked.
  useEffect(() => {
    if (!pendingId || !hasArrived) return;
    saved.change({ type: 'placed', clientOrderId: pendingId });
    tell.current({ kind: 'placed' });
  }, [saved, pendingId, hasArrived]);

  useEffect(() => {
    const { pending } = saved.read();
    if (!pending || pending.clientOrderId !== pendingId || pending.askedAt !== askedAt) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    deliver(pending, {
      send: (order) => client.table.placeOrder.mutate(toNewOrder(order), { signal }),
      pause: (ms) => pauseUntilBetter(ms, signal),
      onSilence: () => setDelivery('silent'),
      signal,
    }).then((outcome) => {
      // Another tab has heard, and has told.
      if (!outcome || signal.aborted) return;
      if (outcome.kind === 'held') setDelivery('held');
      else saved.change({ type: outcome.kind, clientOrderId: pending.clientOrderId });
      tell.current(outcome);
    });
    return () => {
      leaving.abort();
      setDelivery('sending');
    };
  }, [client, saved, pendingId, askedAt]);

  useEffect(() => {
    if (isOpen) saved.forgetOthers();
  }, [saved, isOpen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again when the order is answered
  useEffect(() => {
    if (isOpen) return;
    const { pending } = saved.read();
    if (!pending) saved.forget();
    // A table that has closed takes no order: to send a late one only tells whether it was placed before.
    else if (delivery === 'held') {
      saved.change({ type: 'askAgain', clientOrderId: pending.clientOrderId, askedAt: Date.now() });
    }
  }, [saved, isOpen, pendingId, delivery]);

  return {
    cart,
    change: saved.change,
    order: (keys) => saved.change({ type: 'freeze', clientOrderId: randomId(), keys, askedAt: Date.now() }),
    delivery,
  };
}
