import { type Cart, type CartAction, type CartLine, emptyCart, reduceCart } from './cart';

/** A cart that outlives the page, shared by all tabs of a phone. */
export interface SavedCart {
  read(): Cart;
  change(action: CartAction): void;
  /** Calls `listener` when it changes, here or in another tab. */
  follow(listener: () => void): () => void;
  forget(): void;
  /** Deletes what is kept of other tables, except orders that are less than a day old. */
  forgetOthers(): void;
}

/** No QR code is valid for longer, unless the till requests it again. */
const dayMs = 24 * 60 * 60_000;

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

export function isLine(value: unknown): value is CartLine {
  const line = value as Partial<CartLine> | null;
  return (
    typeof line?.plu === 'string' &&
    typeof line.name === 'string' &&
    typeof line.note === 'string' &&
    areTexts(line.optionIds) &&
    areTexts(line.optionNames) &&
    Number.isSafeInteger(line.quantity) &&
    Number.isSafeInteger(line.unitPrice)
  );
}

/** Returns the saved cart, or an empty one if it is invalid or in an older format. */
export function parseCart(saved: string | null): Cart {
  try {
    const { lines, note, pending } = JSON.parse(saved ?? '') as Cart;
    const isPending = pending && typeof pending.clientOrderId === 'string' && typeof pending.note === 'string';
    const isWhole = [lines, isPending ? pending.lines : []].every((list) => list.every(isLine));
    // An earlier version stored no time. Time 0 makes the app ask the diner.
    const dated = isPending ? { ...pending, askedAt: pending.askedAt ?? 0 } : null;
    return isWhole && typeof note === 'string' ? { lines, note, pending: dated } : emptyCart;
  } catch {
    return emptyCart;
  }
}

/**
 * Opens the cart of a table, by its QR code's token, which is known even after the table has closed. Each change starts
 * from the saved cart, so that tabs do not overwrite each other. Without storage, the cart is kept in memory while the
 * page is open.
 */
export function openCart(token: string): SavedCart {
  const key = `cart:${token}`;
  const listeners = new Set<() => void>();
  let text: string | null = null;
  let cart = emptyCart;

  function read(): Cart {
    const saved = attempt(() => localStorage.getItem(key));
    if (saved && saved !== text) {
      text = saved;
      cart = parseCart(saved);
    }
    return cart;
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function onStorage(event: StorageEvent): void {
    // A null key: the whole storage was cleared.
    if (event.key !== key && event.key !== null) return;
    if (event.newValue === null) cart = emptyCart;
    tell();
  }

  return {
    read,
    change(action) {
      const before = read();
      cart = reduceCart(before, action);
      if (cart === before) return;
      const saved = JSON.stringify(cart);
      attempt(() => {
        localStorage.setItem(key, saved);
        text = saved;
      });
      tell();
    },
    follow(listener) {
      if (listeners.size === 0) addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) removeEventListener('storage', onStorage);
      };
    },
    forget() {
      cart = emptyCart;
      text = null;
      attempt(() => localStorage.removeItem(key));
    },
    forgetOthers() {
      attempt(() => {
        for (const other of Object.keys(localStorage)) {
          if (!/^(cart|bill|guest):/.test(other) || other.endsWith(`:${token}`)) continue;
          // A cart's pending order, or a closed table's orders.
          const { pending, seenAt } = attempt(() => JSON.parse(localStorage.getItem(other) ?? '')) ?? {};
          if (!(Date.now() - (pending?.askedAt ?? seenAt) < dayMs)) localStorage.removeItem(other);
        }
      });
    },
  };
}

/** Storage fails if the browser's settings deny it or if it is full. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
