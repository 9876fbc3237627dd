import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { MenuOfTable } from '@/server/domain/floor';
import type { ItemOnOffer } from '@/server/domain/qr-ordering';
import { createDinerClient } from '../../diner-client';
import type { PriceNote } from '../../price-note';
import type { CardWords, DinerLanguage, TableWords } from '../../words';
import { useFinder, useSavedFilter } from '../finding/use-finder';
import { Menu } from '../menu';
import { SearchField } from '../search-field';
import { moneyOf, TableSpeechProvider, timeOf } from '../table-context';
import { TableFooter } from '../table-footer';
import { TableHeader } from '../table-header';
import { useOnline } from '../use-online';
import { CardActions } from './card-actions';
import { useBillOfTable } from './use-bill-of-table';

const DishSheet = lazy(() => import('./dish-sheet'));

interface CardScreenProps {
  token: string;
  page: MenuOfTable;
  language: DinerLanguage;
  priceNote: PriceNote;
  /** The menu's amounts, formatted by the server. */
  prices: Readonly<Record<number, string>>;
  words: TableWords;
  cardWords: CardWords;
}

const nothingPopular: string[] = [];
const nothingInCart: ReadonlyMap<string, number> = new Map();

/** The page of a table's card while no bill is open: the menu to read. It moves on to the bill once there is one. */
export function CardScreen({ token, page, language, priceNote, prices, words, cardWords }: CardScreenProps) {
  const client = useMemo(() => createDinerClient({ tableToken: token }), [token]);
  useBillOfTable(client);
  const isOffline = !useOnline();
  const [search, setSearch] = useState('');
  const [filter, saveFilter] = useSavedFilter();
  const [isFilterOpen, setFilterOpen] = useState(false);
  const [finder, loadFinder] = useFinder(!isOffline && (filter !== '' || search !== ''));
  const [dish, setDish] = useState<ItemOnOffer | null>(null);
  const choose = useCallback((item: ItemOnOffer) => setDish(item), []);
  const speech = useMemo(
    () => ({
      words: { ...words, howToOrder: page.offers.startsOrdering ? cardWords.toStart : cardWords.toRead },
      language,
      priceNote,
      place: page,
      money: moneyOf(page.merchant, prices),
      time: timeOf(page.merchant, language),
    }),
    [words, cardWords, page, prices, priceNote, language],
  );
  useEffect(() => void dispatchEvent(new Event('usable')), []);
  const warning = isOffline ? words.outOfDate : null;
  return (
    <TableSpeechProvider value={speech}>
      <a href="#content" className="skip-link">
        {words.skipToMenu}
      </a>
      <TableHeader table={page} language={language} isOffline={isOffline} member={null} />
      <SearchField
        search={search}
        onSearch={setSearch}
        isFiltered={filter !== ''}
        onFilter={async () => setFilterOpen(await loadFinder())}
      />
      <div className="menu-to-read">
        <Menu
          search={search}
          filter={filter}
          finder={finder}
          categories={page.categories}
          popular={nothingPopular}
          inCart={nothingInCart}
          onChoose={choose}
        />
      </div>
      <TableFooter pricesIn={priceNote.text} />
      <CardActions client={client} offers={page.offers} words={cardWords} warning={warning} />
      {isFilterOpen && finder ? (
        <finder.FilterSheet
          categories={page.categories}
          filter={filter}
          warning={warning}
          onSave={saveFilter}
          onClose={() => setFilterOpen(false)}
        />
      ) : null}
      {dish ? (
        <Suspense>
          <DishSheet item={dish} warning={warning} onClose={() => setDish(null)} />
        </Suspense>
      ) : null}
    </TableSpeechProvider>
  );
}
