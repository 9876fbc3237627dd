import { useCallback, useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import { fillText } from '../words';
import { type CartLine, cartLimits, lineKey } from './cart/cart';
import { useSpeech } from './table-context';
import type { Ordering } from './use-ordering';

interface OpenDish {
  plu: string;
  /** What to begin with: a line of the cart, or of an earlier order. Null for a dish of the menu. */
  line: CartLine | null;
  /** False for a line that is in the cart. */
  isNew: boolean;
}

/** The dish whose sheet is open, if any, and what opens it. */
export function useDish(
  categories: OpenTable['categories'],
  { cart, change }: Ordering,
  announce: (text: string) => void,
) {
  const { words } = useSpeech();
  const [open, setOpen] = useState<OpenDish | null>(null);
  const item = open && categories.flatMap(({ items }) => items).find(({ plu }) => plu === open.plu);
  // A dish that leaves the menu while its sheet is open must not reopen when it returns.
  if (open && !item) setOpen(null);
  const save = (line: CartLine) => {
    if (open?.line && !open.isNew) return change({ type: 'replace', key: lineKey(open.line), line });
    const isFull = cart.lines.length >= cartLimits.lines && !cart.lines.some((one) => lineKey(one) === lineKey(line));
    if (!isFull) change({ type: 'add', line });
    announce(isFull ? words.tooManyLines : fillText(words.addedToCart, { name: line.name }));
  };
  return {
    open: open && item ? { item, line: open.line, isNew: open.isNew } : null,
    save,
    close: () => setOpen(null),
    chooseItem: useCallback(({ plu }: { plu: string }) => setOpen({ plu, line: null, isNew: true }), []),
    chooseAgain: (line: CartLine) => setOpen({ plu: line.plu, line, isNew: true }),
    edit: (line: CartLine) => setOpen({ plu: line.plu, line, isNew: false }),
  };
}
export type DishSheetState = ReturnType<typeof useDish>;
