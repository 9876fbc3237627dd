import { useEffect, useId, useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { CartLine } from './cart/cart';
import { checkCart } from './cart/check-cart';
import { readOrdered } from './cart/ordered-before';
import { Price, useSpeech } from './table-context';

const maxAgain = 6;

interface DishStripsProps {
  table: OpenTable;
  /** `line`: what this phone ordered before, to begin with. */
  onChoose: (plu: string, line: CartLine | null) => void;
}

/** Above the menu: what this phone ordered at an earlier visit, at today's prices, and what is ordered most. */
export default function DishStrips({ table: { merchantId, offers, categories, popular }, onChoose }: DishStripsProps) {
  const { words } = useSpeech();
  const [before, setBefore] = useState<readonly CartLine[]>([]);
  useEffect(() => {
    if (offers.ordersAgain) setBefore(readOrdered(merchantId));
  }, [merchantId, offers.ordersAgain]);
  const again = checkCart(before, categories).ready.slice(0, maxAgain);
  const items = categories.flatMap((category) => category.items).filter(({ isSoldOut }) => !isSoldOut);
  return (
    <>
      <DishStrip
        title={words.orderAgain}
        dishes={again.map(({ key, line, item, unitPrice }) => ({
          key,
          name: [item?.name ?? line.name, ...line.optionNames].join(words.comma),
          price: unitPrice,
          onChoose: () => onChoose(line.plu, { ...line, quantity: 1 }),
        }))}
      />
      <DishStrip
        title={words.popular}
        dishes={popular.flatMap((plu) => {
          const item = items.find((one) => one.plu === plu);
          return item ? { key: plu, ...item, onChoose: () => onChoose(plu, null) } : [];
        })}
      />
    </>
  );
}

interface DishStripProps {
  title: string;
  dishes: { key: string; name: string; price: number; onChoose: () => void }[];
}

function DishStrip({ title, dishes }: DishStripProps) {
  const id = useId();
  if (dishes.length === 0) return null;
  return (
    <section aria-labelledby={id} className="dish-strip">
      <p id={id} className="text-sm font-medium text-muted">
        {title}
      </p>
      <ul>
        {dishes.map(({ key, name, price, onChoose }) => (
          <li key={key}>
            <button type="button" onClick={onChoose}>
              {name} <Price amount={price} className="text-muted tabular-nums" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
