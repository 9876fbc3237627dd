import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useIsInBrowser } from '@/components/ui/use-is-in-browser';
import type { CategoryOnOffer, ItemOnOffer } from '@/server/domain/qr-ordering';
import { fillText } from '../words';
import { CategoryNav } from './category-nav';
import type { Finder } from './finding';
import { MenuItem } from './menu-item';
import { useSpeech } from './table-context';

interface MenuProps {
  categories: readonly CategoryOnOffer[];
  search: string;
  /** A saved filter; empty without one. */
  filter: string;
  finder: Finder | null;
  /** PLUs of dishes that are marked as popular. */
  popular: readonly string[];
  /** Quantities in the cart, by PLU. */
  inCart: ReadonlyMap<string, number>;
  onChoose: (item: ItemOnOffer) => void;
}

/** Anchors by id, because a category's name may be in any script. */
const anchorOf = ({ id }: CategoryOnOffer) => `menu-${id}`;

/** Normalises a text for search: lower case, without accents. */
const normalize = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function findIn(categories: readonly CategoryOnOffer[], search: string): readonly CategoryOnOffer[] {
  const wanted = normalize(search).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return categories;
  const isFound = ({ name, description }: ItemOnOffer) => {
    const text = normalize(`${name} ${description}`);
    return wanted.every((word) => text.includes(word));
  };
  return categories
    .map((category) => ({ ...category, items: category.items.filter(isFound) }))
    .filter(({ items }) => items.length > 0);
}

const countOf = (categories: readonly CategoryOnOffer[]) =>
  categories.reduce((sum, { items }) => sum + items.length, 0);

/** A store's menu by category, with navigation; during a search, the matches. */
export const Menu = memo(function Menu({ categories, search, filter, finder, popular, inCart, onChoose }: MenuProps) {
  const { words } = useSpeech();
  // Deferred behind more urgent updates, because rendering hundreds of dishes takes long on a slow phone.
  const deferredSearch = useDeferredValue(search);
  const present = useDeferredValue(categories);
  const counts = useDeferredValue(inCart);
  const shown = useMemo(
    () => (finder && filter ? finder.applyFilter(present, filter) : present),
    [present, filter, finder],
  );
  const isAsServed = useAsServed(shown, deferredSearch, counts);
  const menu = useChosen(present, isAsServed, onChoose);
  const exact = useMemo(() => findIn(shown, deferredSearch), [shown, deferredSearch]);
  const isMissed = exact.length === 0 && deferredSearch.trim() !== '';
  const found = useMemo(
    () => (isMissed && finder ? finder.findSimilar(shown, deferredSearch) : exact),
    [isMissed, finder, shown, deferredSearch, exact],
  );
  // Scrolls to the first match, if the diner searches far down the menu.
  useEffect(() => {
    const list = menu.current;
    if (deferredSearch && list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ behavior: 'instant' });
  }, [menu, deferredSearch]);
  const count = countOf(found);
  const isSearch = deferredSearch.trim() !== '';
  const result = !isMissed ? words.searchResults : count > 0 ? words.similarFound : words.nothingFound;
  const hidden = countOf(present) - countOf(shown);
  return (
    <div className="mx-auto w-full max-w-6xl flex-1 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-16 lg:px-8 lg:pt-2">
      {found.length > 0 ? (
        <CategoryNav categories={found.map((category) => ({ id: anchorOf(category), name: category.name }))} />
      ) : (
        <div />
      )}
      <main ref={menu} id="content" tabIndex={-1} className="px-5 pb-16 outline-none sm:px-8 lg:px-0 lg:pb-24">
        <p role="status" className={isSearch ? 'pt-6 text-muted wrap-anywhere' : 'sr-only'}>
          {isSearch ? fillText(result, { count, search: deferredSearch.trim() }) : null}
        </p>
        <p role="status" className={filter ? 'pt-4 text-sm text-muted' : 'sr-only'}>
          {filter ? (finder ? fillText(words.hiddenByFilter, { count: hidden }) : words.filterWaits) : null}
        </p>
        {categories.length === 0 ? (
          <p className="max-w-md py-12 text-lg leading-relaxed text-muted">{words.emptyMenu}</p>
        ) : null}
        {found.map((category) => (
          <Category key={category.id} category={category} popular={popular} isAsServed={isAsServed} inCart={counts} />
        ))}
      </main>
    </div>
  );
});

/**
 * True while the menu is as the server rendered it: unchanged, no search, an empty cart. React may also have discarded
 * the server's HTML, for example if an extension has changed the page.
 */
function useAsServed(categories: MenuProps['categories'], search: string, inCart: MenuProps['inCart']): boolean {
  const isHydrating = !useIsInBrowser();
  const [served, setServed] = useState(isHydrating ? categories : null);
  if (served !== null && (served !== categories || search !== '' || inCart.size > 0)) setServed(null);
  return served !== null;
}

/**
 * Calls `onChoose` for the dish whose button is pressed, whether the server or the browser rendered it. If the focus
 * returns to a removed button of the server's, it moves to the new one.
 */
function useChosen(categories: MenuProps['categories'], isAsServed: boolean, onChoose: MenuProps['onChoose']) {
  const menu = useRef<HTMLElement>(null);
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const list = menu.current;
    const onClick = ({ target }: Event) => {
      const button = (target as Element).closest('button');
      const item = categories.flatMap(({ items }) => items).find(({ plu }) => plu === button?.value);
      chosen.current = button;
      if (item) onChoose(item);
    };
    list?.addEventListener('click', onClick);
    return () => list?.removeEventListener('click', onClick);
  }, [categories, onChoose]);
  useEffect(() => {
    if (isAsServed || !chosen.current || document.activeElement !== document.body) return;
    const button = menu.current?.querySelector<HTMLElement>(`button[value="${CSS.escape(chosen.current.value)}"]`);
    button?.focus({ preventScroll: true });
  }, [isAsServed]);
  return menu;
}

interface CategoryProps extends Pick<MenuProps, 'inCart' | 'popular'> {
  category: CategoryOnOffer;
  isAsServed: boolean;
}

const isOnServer = typeof window === 'undefined';

function Category({ category, popular, inCart, isAsServed }: CategoryProps) {
  const id = anchorOf(category);
  const look = 'mt-2 md:grid md:grid-cols-2 md:gap-x-14';
  return (
    <section id={id} aria-labelledby={`${id}-name`} className="menu-section">
      <h2 id={`${id}-name`} className="text-xl font-semibold tracking-[-0.02em] sm:text-2xl">
        {category.name}
      </h2>
      {isAsServed && !isOnServer ? (
        // Keeps the server's HTML of the dishes: rendering them again before any change took half of the start-up time.
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the empty string is never written, as the dishes are there
        <ul className={look} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
      ) : (
        <ul className={look}>
          {category.items.map((item) => (
            <MenuItem
              key={item.plu}
              item={item}
              isPopular={popular.includes(item.plu)}
              inCart={inCart.get(item.plu) ?? 0}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
