import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { DinerClient } from '../diner/diner-client';
import { randomId } from '../diner/random-id';
import { type Cart, type CartAction, type CartLine, emptyCart, type PendingOrder } from './cart/cart';
import { deliver, type Outcome, pauseUntilBetter } from './cart/outbox';
import { openCart } from './cart/saved-cart';
import { withinTime } from './within-time';

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

interface OpenCart {
  cart: Cart;
  change(action: CartAction): void;
  /** Orders these lines: kept first, then sent until an answer is known. */
  order(keys: string[]): void;
  /** Sent without an answer so far. */
  isSilent: boolean;
  forget(): void;
}

/** This phone's cart for a table's code, and the order that it has under way. */
export function useCart(client: DinerClient, qrCodeId: string, onOutcome: (outcome: Outcome) => void): OpenCart {
  const saved = useMemo(() => openCart(qrCodeId), [qrCodeId]);
  const cart = useSyncExternalStore(saved.follow, saved.read, () => emptyCart);
  const [isSilent, setSilent] = useState(false);
  const tell = useRef(onOutcome);
  tell.current = onOutcome;

  const pendingId = cart.pending?.clientOrderId;
  useEffect(() => {
    const { pending } = saved.read();
    if (!pending || pending.clientOrderId !== pendingId) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    deliver(pending, {
      send: (order) =>
        withinTime(signal, (limit) => client.table.placeOrder.mutate(toNewOrder(order), { signal: limit })),
      pause: (ms) => pauseUntilBetter(ms, signal),
      onSilence: () => setSilent(true),
      signal,
    }).then((outcome) => {
      // Another tab has heard, and has told.
      if (!outcome || signal.aborted) return;
      setSilent(false);
      saved.change({ type: outcome.kind, clientOrderId: pending.clientOrderId });
      tell.current(outcome);
    });
    return () => {
      leaving.abort();
      setSilent(false);
    };
  }, [client, saved, pendingId]);

  return {
    cart,
    change: saved.change,
    order: (keys) => saved.change({ type: 'freeze', clientOrderId: randomId(), keys }),
    isSilent,
    forget: saved.forget,
  };
}
