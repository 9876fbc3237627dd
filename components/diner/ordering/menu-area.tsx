import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { CartLine } from './cart/cart';
import { PopularDishes } from './dish-strip';
import { useFinder, useSavedFilter } from './finding/use-finder';
import { OrderAgain } from './lazy-parts';
import { Menu } from './menu';
import { SearchField } from './search-field';
import type { DishSheetState } from './use-dish';

interface MenuAreaProps {
  table: OpenTable;
  lines: readonly CartLine[];
  dish: Pick<DishSheetState, 'chooseItem' | 'chooseAgain'>;
  isOffline: boolean;
  /** A warning about the connection. */
  warning: string | null;
  /** Called if a part's file can't be fetched. */
  onFailed: () => void;
  /** Further controls beside the search. */
  children: ReactNode;
}

/** The menu with its search and filter. Above it, unless the diner searches, are dishes that this phone or others ordered. */
export function MenuArea({ table, lines, dish, isOffline, warning, onFailed, children }: MenuAreaProps) {
  const { categories, offers } = table;
  const [search, setSearch] = useState('');
  const [savedFilter, saveFilter] = useSavedFilter();
  const filter = offers.filtersDiets ? savedFilter : '';
  const [isFilterOpen, setFilterOpen] = useState(false);
  const [finder, loadFinder] = useFinder(!isOffline && (filter !== '' || search !== ''));
  const openFilter = async () => ((await loadFinder()) ? setFilterOpen(true) : onFailed());
  const [hasOrdered, forgetOrdered] = useHasOrdered();
  const inCart = useMemo(() => countByPlu(lines), [lines]);
  return (
    <>
      <SearchField
        search={search}
        onSearch={setSearch}
        isFiltered={filter !== ''}
        onFilter={offers.filtersDiets ? openFilter : null}
      >
        {children}
      </SearchField>
      {search || filter ? null : (
        <>
          {offers.ordersAgain && hasOrdered !== false ? (
            <div className="again-place">
              {hasOrdered ? (
                <Suspense>
                  <OrderAgain table={table} onChoose={dish.chooseAgain} onNone={forgetOrdered} />
                </Suspense>
              ) : null}
            </div>
          ) : null}
          <PopularDishes table={table} onChoose={(plu) => dish.chooseItem({ plu })} />
        </>
      )}
      <Menu
        categories={categories}
        search={search}
        filter={filter}
        finder={finder}
        inCart={inCart}
        popular={table.popular}
        onChoose={dish.chooseItem}
      />
      {isFilterOpen && finder ? (
        <finder.FilterSheet
          categories={categories}
          filter={filter}
          warning={warning}
          onSave={saveFilter}
          onClose={() => setFilterOpen(false)}
        />
      ) : null}
    </>
  );
}

/** Whether this phone has ordered here before; null until the scripts run. */
function useHasOrdered(): [hasOrdered: boolean | null, forget: () => void] {
  const [hasOrdered, setHasOrdered] = useState<boolean | null>(null);
  // The document's script has already checked, so that there is room for those dishes from the first paint.
  useEffect(() => setHasOrdered(document.documentElement.classList.contains('has-ordered')), []);
  return [hasOrdered, useCallback(() => setHasOrdered(false), [])];
}

function countByPlu(lines: readonly CartLine[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { plu, quantity } of lines) counts.set(plu, (counts.get(plu) ?? 0) + quantity);
  return counts;
}
