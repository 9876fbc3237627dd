import { useId } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import { Price, useSpeech } from './table-context';

interface DishStripProps {
  title: string;
  dishes: { key: string; name: string; price: number; onChoose: () => void }[];
}

/** A row of dishes above the menu. Renders nothing without dishes. */
export function DishStrip({ title, dishes }: DishStripProps) {
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

interface PopularDishesProps {
  table: Pick<OpenTable, 'categories' | 'popular'>;
  onChoose: (plu: string) => void;
}

/** The most ordered dishes. They are part of the server's page, so that the menu does not move when the scripts run. */
export function PopularDishes({ table: { categories, popular }, onChoose }: PopularDishesProps) {
  const { words } = useSpeech();
  const items = categories.flatMap((category) => category.items).filter(({ isSoldOut }) => !isSoldOut);
  const dishes = popular.flatMap((plu) => {
    const item = items.find((one) => one.plu === plu);
    return item ? { key: plu, ...item, onChoose: () => onChoose(plu) } : [];
  });
  return <DishStrip title={words.popular} dishes={dishes} />;
}
