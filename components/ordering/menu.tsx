import { memo, useDeferredValue, useMemo } from 'react';
import type { CategoryOnOffer, ItemOnOffer } from '@/server/domain/qr-ordering/menu-on-offer';
import { fill } from '../diner/words';
import { CategoryNav } from './category-nav';
import { MenuItem } from './menu-item';
import { useSpeech } from './table-context';

interface MenuProps {
  categories: readonly CategoryOnOffer[];
  search: string;
  /** How many of a dish the cart holds, by PLU. */
  inCart: ReadonlyMap<string, number>;
  onChoose: (item: ItemOnOffer) => void;
}

/** Addresses inside the page: a category's name may be in any script. */
const anchorOf = ({ id }: CategoryOnOffer) => `menu-${id}`;

/** As it is looked for: without capitals and accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function findIn(categories: readonly CategoryOnOffer[], search: string): readonly CategoryOnOffer[] {
  const wanted = plain(search).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return categories;
  const isFound = ({ name, description }: ItemOnOffer) => {
    const text = plain(`${name} ${description}`);
    return wanted.every((word) => text.includes(word));
  };
  return categories
    .map((category) => ({ ...category, items: category.items.filter(isFound) }))
    .filter(({ items }) => items.length > 0);
}

/** A store's menu by category, with the way to each; while something is looked for, what was found. */
export const Menu = memo(function Menu({ categories, search, inCart, onChoose }: MenuProps) {
  const { words } = useSpeech();
  const asked = useDeferredValue(search);
  const found = useMemo(() => findIn(categories, asked), [categories, asked]);
  const count = found.reduce((sum, { items }) => sum + items.length, 0);
  const isSearch = asked.trim() !== '';
  return (
    <div className="mx-auto w-full max-w-6xl flex-1 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-16 lg:px-8 lg:pt-2">
      {found.length > 0 ? (
        <CategoryNav categories={found.map((category) => ({ id: anchorOf(category), name: category.name }))} />
      ) : (
        <div />
      )}
      <main id="content" tabIndex={-1} className="px-5 pb-16 outline-none sm:px-8 lg:px-0 lg:pb-24">
        <p role="status" className={isSearch ? 'pt-6 text-muted wrap-anywhere' : 'sr-only'}>
          {isSearch
            ? fill(count > 0 ? words.searchResults : words.nothingFound, { count, search: asked.trim() })
            : null}
        </p>
        {categories.length === 0 ? (
          <p className="max-w-md py-12 text-lg leading-relaxed text-muted">{words.emptyMenu}</p>
        ) : null}
        {found.map((category) => (
          <Category key={category.id} category={category} inCart={inCart} onChoose={onChoose} />
        ))}
      </main>
    </div>
  );
});

interface CategoryProps extends Pick<MenuProps, 'inCart' | 'onChoose'> {
  category: CategoryOnOffer;
}

function Category({ category, inCart, onChoose }: CategoryProps) {
  const id = anchorOf(category);
  return (
    <section id={id} aria-labelledby={`${id}-name`} className="menu-section">
      <h2 id={`${id}-name`} className="text-xl font-semibold tracking-[-0.02em] sm:text-2xl">
        {category.name}
      </h2>
      <ul className="mt-2 md:grid md:grid-cols-2 md:gap-x-14">
        {category.items.map((item) => (
          <MenuItem key={item.plu} item={item} inCart={inCart.get(item.plu) ?? 0} onChoose={onChoose} />
        ))}
      </ul>
    </section>
  );
}
