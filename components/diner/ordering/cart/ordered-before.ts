import { type CartLine, lineKey } from './cart';
import { isLine } from './saved-cart';

/** If it exists, the document is marked before the page is painted: `pages/_document.tsx`. */
const keyOf = (merchantId: string) => `ordered:${merchantId}`;
const maxKept = 12;
const keptMs = 90 * 24 * 60 * 60_000;

interface OrderedLine extends CartLine {
  orderedAt: number;
}

/** Lines of the last 90 days, newest first. */
function readRecent(merchantId: string): OrderedLine[] {
  const since = Date.now() - keptMs;
  const isRecent = (one: unknown): one is OrderedLine => isLine(one) && Number((one as OrderedLine).orderedAt) > since;
  try {
    const lines: unknown = JSON.parse(localStorage.getItem(keyOf(merchantId)) ?? '[]');
    return Array.isArray(lines) ? lines.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Returns what this phone has recently ordered at a merchant, newest first, without duplicates and notes. */
export const readOrdered = (merchantId: string): CartLine[] =>
  readRecent(merchantId).map(({ orderedAt, ...line }) => line);

/**
 * Keeps what was ordered on this phone only, so that ordering it again needs no account. Notes are not kept, because
 * they may mention allergies and others use the phone, too.
 */
export function keepOrdered(merchantId: string, lines: readonly CartLine[]): void {
  const orderedAt = Date.now();
  const now = lines.map((line) => ({ ...line, note: '', orderedAt }));
  const ordered = new Map([...now, ...readRecent(merchantId)].toReversed().map((line) => [lineKey(line), line]));
  try {
    localStorage.setItem(keyOf(merchantId), JSON.stringify([...ordered.values()].toReversed().slice(0, maxKept)));
  } catch {}
}
