import { type CartLine, lineKey } from './cart';
import { isLine } from './saved-cart';

/** As `hasOrderedAt` looks for it. */
const keyOf = (merchantId: string) => `ordered:${merchantId}`;
const maxKept = 12;

/** Returns what this phone has ordered at a merchant, newest first; each line once. */
export function readOrdered(merchantId: string): CartLine[] {
  try {
    const lines: unknown = JSON.parse(localStorage.getItem(keyOf(merchantId)) ?? '[]');
    return Array.isArray(lines) ? lines.filter(isLine) : [];
  } catch {
    return [];
  }
}

/** Keeps what was ordered on this phone alone: no account is needed to order it again. */
export function keepOrdered(merchantId: string, lines: readonly CartLine[]): void {
  const ordered = new Map([...lines, ...readOrdered(merchantId)].toReversed().map((line) => [lineKey(line), line]));
  try {
    localStorage.setItem(keyOf(merchantId), JSON.stringify([...ordered.values()].toReversed().slice(0, maxKept)));
  } catch {}
}
