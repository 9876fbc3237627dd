/** A phone's cart: what is chosen, and the order that is on its way. Pure: `saved-cart.ts` keeps it. */

export interface CartLine {
  plu: string;
  /** As they were called when they were chosen: what has left the menu is still named. */
  name: string;
  optionNames: string[];
  optionIds: string[];
  quantity: number;
  note: string;
  /** What the diner has seen and agreed to, with the options, in minor units. */
  unitPrice: number;
}

/** Frozen: it is sent just so, under the same id, until an answer is known. */
export interface PendingOrder {
  clientOrderId: string;
  lines: CartLine[];
  note: string;
  /** When the diner asked for it, on `Date.now()`'s clock. */
  askedAt: number;
}

export interface Cart {
  lines: CartLine[];
  note: string;
  pending: PendingOrder | null;
}

export type CartAction =
  | { type: 'add'; line: CartLine }
  | { type: 'replace'; key: string; line: CartLine }
  /** None removes the line. */
  | { type: 'setQuantity'; key: string; quantity: number }
  | { type: 'setNote'; note: string }
  | { type: 'agree'; unitPrices: Record<string, number> }
  | { type: 'freeze'; clientOrderId: string; keys: string[]; askedAt: number }
  /** The diner still wants it. */
  | { type: 'askAgain'; clientOrderId: string; askedAt: number }
  | { type: 'withdraw'; clientOrderId: string }
  | { type: 'placed'; clientOrderId: string }
  | { type: 'refused'; clientOrderId: string };

export const emptyCart: Cart = { lines: [], note: '', pending: null };

/** What one order can hold. */
export const cartLimits = { lines: 100, quantity: 99, lineNote: 200, note: 500 };

/** Cut to its length and to what can be written: half an emoji can not. */
export const cleanNote = (text: string, longest: number): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  text.slice(0, longest).replace(/[\uD800-\uDBFF]$|[\0-\x08\x0b-\x1f\x7f]/g, '');

/** Lines of the same dish, choices and wish are one. */
export const lineKey = ({ plu, optionIds, note }: Pick<CartLine, 'plu' | 'optionIds' | 'note'>): string =>
  JSON.stringify([plu, [...optionIds].sort(), note]);

/** The lines with another one: added to its like, at its own price, which was seen last. */
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

/** In the old one's place; where its new like stands already, they become one. */
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
    pending: { clientOrderId, lines: chosen, note: cart.note, askedAt },
  };
}

/** What was not placed comes back, before what was chosen since. */
function thaw({ lines, note }: Cart, pending: PendingOrder): Cart {
  let all = pending.lines;
  for (const line of lines) {
    const merged = withLine(all, line);
    // Nothing is lost for want of room: an order takes as many as it can hold.
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
    case 'placed':
      return pending?.clientOrderId === action.clientOrderId ? { ...cart, pending: null } : cart;
    case 'refused':
    case 'withdraw':
      return pending?.clientOrderId === action.clientOrderId ? thaw(cart, pending) : cart;
  }
}
