import { useEffect, useMemo } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { CartLine } from './cart/cart';
import { checkCart } from './cart/check-cart';
import { readOrdered } from './cart/ordered-before';
import { DishStrip } from './dish-strip';
import { useSpeech } from './table-context';

const maxAgain = 6;

interface OrderAgainProps {
  table: Pick<OpenTable, 'merchantId' | 'categories'>;
  /** `line`: what this phone ordered before, to start with. */
  onChoose: (line: CartLine) => void;
  /** Called if the menu no longer has any of its items. */
  onNone: () => void;
}

/** What this phone ordered at an earlier visit, at today's prices. For what is rendered in the browser only. */
export default function OrderAgain({ table: { merchantId, categories }, onChoose, onNone }: OrderAgainProps) {
  const { words } = useSpeech();
  const before = useMemo(() => readOrdered(merchantId), [merchantId]);
  const again = checkCart(before, categories).ready.slice(0, maxAgain);
  const isEmpty = again.length === 0;
  useEffect(() => {
    if (isEmpty) onNone();
  }, [isEmpty, onNone]);
  const dishes = again.map(({ key, line, item, unitPrice }) => ({
    key,
    name: [item?.name ?? line.name, ...line.optionNames].join(words.comma),
    price: unitPrice,
    onChoose: () => onChoose({ ...line, quantity: 1 }),
  }));
  return <DishStrip title={words.orderAgain} dishes={dishes} />;
}
