/** A phone's cart: the selected dishes, and the pending order. Pure: `saved-cart.ts` stores it. */

export interface CartLine {
  plu: string;
  /** The names at the time of selection, for dishes that have left the menu. */
  name: string;
  optionNames: string[];
  optionIds: string[];
  quantity: number;
  note: string;
  /** The price that the diner saw and accepted, with the options, in minor units. */
  unitPrice: number;
}

/** Frozen: it is sent unchanged, with the same id, until its outcome is known. */
export interface PendingOrder {
  clientOrderId: string;
  lines: CartLine[];
  note: string;
  /** When the diner placed it, on `Date.now()`'s clock. */
  askedAt: number;
  /** True until it is first sent with a connection. Until then it can't have arrived, so the diner can withdraw it. */
  isUnsent?: boolean;
}

export interface Cart {
  lines: CartLine[];
  note: string;
  pending: PendingOrder | null;
}

export type CartAction =
  | { type: 'add'; line: CartLine }
  | { type: 'replace'; key: string; line: CartLine }
  /** Zero removes the line. */
  | { type: 'setQuantity'; key: string; quantity: number }
  | { type: 'setNote'; note: string }
  | { type: 'agree'; unitPrices: Record<string, number> }
  | { type: 'freeze'; clientOrderId: string; keys: string[]; askedAt: number }
  /** The diner still wants the held order. */
  | { type: 'askAgain'; clientOrderId: string; askedAt: number }
  | { type: 'sent'; clientOrderId: string }
  | { type: 'withdraw'; clientOrderId: string }
  | { type: 'placed'; clientOrderId: string }
  | { type: 'refused'; clientOrderId: string };

export const emptyCart: Cart = { lines: [], note: '', pending: null };

/** The limits of one order. */
export const cartLimits = { lines: 100, quantity: 99, lineNote: 200, note: 500 };

/** Truncates a note, and removes half an emoji and control characters. */
export const cleanNote = (text: string, maxLength: number): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them
  text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$|[\0-\x08\x0b-\x1f\x7f]/g, '');

/** The key of a line: equal for the same dish, options and note. */
export const lineKey = ({ plu, optionIds, note }: Pick<CartLine, 'plu' | 'optionIds' | 'note'>): string =>
  JSON.stringify([plu, [...optionIds].sort(), note]);

/** Adds a line, or adds its quantity to an equal line, at the new line's price, which is more recent. */
function withLine(lines: CartLine[], line: CartLine): CartLine[] {
  const at = lines.findIndex((one) => lineKey(one) === lineKey(line));
  const like = lines[at];
  if (!like) return lines.length < cartLimits.lines ? [...lines, line] : lines;
  return lines.with(at, { ...line, quantity: Math.min(like.quantity + line.quantity, cartLimits.quantity) });
}

function withQuantity(lines: CartLine[], key: string, quantity: number): CartLine[] {
  if (quantity <= 0) return lines.filter((line) => lineKey(line) !== key);
  const kept = Math.min(quantity, cartLimits.quantity);
  return lines.map((line) => (lineKey(line) === key ? { ...line, quantity: kept } : line));
}

/** Replaces a line in place, or merges it where an equal line exists. */
function withReplaced(lines: CartLine[], key: string, line: CartLine): CartLine[] {
  const at = lines.findIndex((one) => lineKey(one) === key);
  if (at === -1) return withLine(lines, line);
  if (lineKey(line) === key) return lines.with(at, line);
  const others = lines.toSpliced(at, 1);
  return others.some((one) => lineKey(one) === lineKey(line)) ? withLine(others, line) : lines.with(at, line);
}

type Freeze = Extract<CartAction, { type: 'freeze' }>;

function freeze(cart: Cart, { clientOrderId, keys, askedAt }: Freeze): Cart {
  if (cart.pending) return cart;
  const chosen = cart.lines.filter((line) => keys.includes(lineKey(line))).slice(0, cartLimits.lines);
  if (chosen.length === 0) return cart;
  return {
    lines: cart.lines.filter((line) => !chosen.includes(line)),
    note: '',
    pending: { clientOrderId, lines: chosen, note: cart.note, askedAt, isUnsent: true },
  };
}

/** Puts the lines of an order that was not placed back, before later ones. */
function thaw({ lines, note }: Cart, pending: PendingOrder): Cart {
  let all = pending.lines;
  for (const line of lines) {
    const merged = withLine(all, line);
    // The cart may exceed its limit here, so that no line is lost; the next order takes as many as it can.
    all = merged === all ? [...all, line] : merged;
  }
  const notes = [pending.note, note].filter(Boolean).join(' · ');
  return { lines: all, note: cleanNote(notes, cartLimits.note), pending: null };
}

export function reduceCart(cart: Cart, action: CartAction): Cart {
  const { lines, pending } = cart;
  switch (action.type) {
    case 'add':
      return { ...cart, lines: withLine(lines, action.line) };
    case 'replace':
      return { ...cart, lines: withReplaced(lines, action.key, action.line) };
    case 'setQuantity':
      return { ...cart, lines: withQuantity(lines, action.key, action.quantity) };
    case 'setNote':
      return { ...cart, note: cleanNote(action.note, cartLimits.note) };
    case 'agree':
      return {
        ...cart,
        lines: lines.map((line) => ({ ...line, unitPrice: action.unitPrices[lineKey(line)] ?? line.unitPrice })),
      };
    case 'freeze':
      return freeze(cart, action);
    case 'askAgain':
      return pending?.clientOrderId === action.clientOrderId
        ? { ...cart, pending: { ...pending, askedAt: action.askedAt } }
        : cart;
    case 'sent':
      return pending?.clientOrderId === action.clientOrderId && pending.isUnsent
        ? { ...cart, pending: { ...pending, isUnsent: false } }
        : cart;
    case 'placed':
      return pending?.clientOrderId === action.clientOrderId ? { ...cart, pending: null } : cart;
    case 'refused':
    case 'withdraw':
      return pending?.clientOrderId === action.clientOrderId ? thaw(cart, pending) : cart;
  }
}
