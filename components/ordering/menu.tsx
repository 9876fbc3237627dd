import { CategoryNav } from './category-nav';
import { MenuItem, type MenuItemProps } from './menu-item';
import type { OrderingWords } from './words';

interface MenuProps {
  categories: { name: string; items: (MenuItemProps & { plu: string })[] }[];
  words: OrderingWords;
}

/** Addresses inside the page: a category's name may be in any script. */
const categoryId = (index: number) => `menu-${index + 1}`;

/** A store's menu by category, with the way to each. */
export function Menu({ categories, words }: MenuProps) {
  if (categories.length === 0) {
    return (
      <main id="content" className="mx-auto w-full max-w-6xl flex-1 border-t border-line px-5 py-16 text-lg sm:px-8">
        <p className="max-w-md leading-relaxed text-muted">{words.emptyMenu}</p>
      </main>
    );
  }
  const named = categories.map(({ name }, index) => ({ id: categoryId(index), name }));
  return (
    <div className="mx-auto w-full max-w-6xl flex-1 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-16 lg:px-8 lg:pt-2">
      <CategoryNav label={words.categories} categories={named} />
      <main id="content" className="px-5 pb-16 sm:px-8 lg:px-0 lg:pb-24">
        {categories.map(({ name, items }, index) => (
          <section
            key={categoryId(index)}
            id={categoryId(index)}
            aria-labelledby={`${categoryId(index)}-name`}
            className="pt-9 lg:scroll-mt-6 lg:first:pt-0 max-lg:-scroll-mt-10"
          >
            <h2 id={`${categoryId(index)}-name`} className="text-xl font-semibold tracking-[-0.02em] sm:text-2xl">
              {name}
            </h2>
            <ul className="mt-2 md:grid md:grid-cols-2 md:gap-x-14">
              {items.map(({ plu, ...item }) => (
                <MenuItem key={plu} {...item} soldOut={words.soldOut} />
              ))}
            </ul>
          </section>
        ))}
      </main>
    </div>
  );
}
