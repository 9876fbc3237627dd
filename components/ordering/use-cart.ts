import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
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
  forget(): void;
}

/** This phone's cart for a table's code, and the order that it has under way. */
export function useCart(client: DinerClient, qrCodeId: string, onOutcome: (outcome: Outcome) => void): OpenCart {
  const saved = useMemo(() => openCart(qrCodeId), [qrCodeId]);
  const cart = useSyncExternalStore(saved.follow, saved.read, () => emptyCart);
  const [delivery, setDelivery] = useState<DeliveryState>('sending');
  const tell = useRef(onOutcome);
  tell.current = onOutcome;

  const { clientOrderId: pendingId, askedAt } = cart.pending ?? {};
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

  return {
    cart,
    change: saved.change,
    order: (keys) => saved.change({ type: 'freeze', clientOrderId: randomId(), keys, askedAt: Date.now() }),
    delivery,
    forget: saved.forget,
  };
}
