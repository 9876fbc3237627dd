import { lazy, Suspense, useEffect, useMemo } from 'react';
import type { OpenTable as Table, TablePage } from '@/server/domain/qr-ordering';
import { createDinerClient } from '../diner-client';
import type { PriceNote } from '../price-note';
import type { DinerLanguage, TableWords } from '../words';
import { OpenTable } from './open-table';
import { moneyOf, TableSpeechProvider, timeOf } from './table-context';
import { useOrdering } from './use-ordering';
import { useNews } from './use-said';
import { useTable } from './use-table';

interface TableScreenProps {
  token: string;
  page: TablePage;
  language: DinerLanguage;
  /** The language of the menu's texts; null for the merchant's own. */
  menuLanguage: DinerLanguage | null;
  priceNote: PriceNote;
  /** The menu's amounts, formatted by the server. */
  prices: Readonly<Record<number, string>>;
  words: TableWords;
  /** True if the phone has a session with the merchant, which may have ended. */
  hasSession: boolean;
}

/** If its file is gone, for example after an update, the page is reloaded. */
const ClosedNotice = lazy(() =>
  import('./closed-notice').catch(() => {
    location.reload();
    return new Promise<never>(() => {});
  }),
);

/** The page of a scanned QR code: the menu, until the bill is settled. */
export function TableScreen({ token, page: first, menuLanguage, hasSession, ...texts }: TableScreenProps) {
  const { language, words } = texts;
  const client = useMemo(() => createDinerClient({ tableToken: token }), [token]);
  const live = useTable(client, token, first, menuLanguage);
  const { page } = live;
  const table = page.state === 'open' ? page : null;
  const [news, announce] = useNews();
  const ordering = useOrdering({ client, token, table, words, announce, refresh: live.refresh });
  const here = first.state === 'open' ? first : null;
  const speech = useTableSpeech(here, table && howToOrder(table, texts.words), texts);
  useEffect(() => {
    dispatchEvent(new Event('usable'));
  }, []);
  const isOpen = table !== null;
  useEffect(() => {
    if (!isOpen) forgetTable();
  }, [isOpen]);

  if (page.state !== 'open') {
    const { cart, delivery, forget, lastOutcome } = ordering;
    const sending = { text: delivery === 'silent' ? words.stillSending : words.sendingOrder, isGood: true };
    return (
      <Suspense>
        <ClosedNotice
          client={client}
          token={token}
          page={page}
          language={language}
          words={words}
          cart={cart}
          outcome={cart.pending ? sending : lastOutcome}
          isNews={here !== null}
          onForget={forget}
        />
      </Suspense>
    );
  }

  if (!table || !speech) return null;
  return (
    <TableSpeechProvider value={speech}>
      <OpenTable
        client={client}
        token={token}
        table={table}
        live={live}
        ordering={ordering}
        news={news}
        announce={announce}
        hasSession={hasSession}
      />
    </TableSpeechProvider>
  );
}

const howToOrder = ({ bill, firstOrderWaits }: Table, words: TableWords) =>
  !firstOrderWaits ? words.howToOrder : bill?.state === 'closed' ? words.orderAfterBill : words.firstOrderWaits;

type Texts = Pick<TableScreenProps, 'language' | 'priceNote' | 'prices' | 'words'>;

/** The texts and formats of the page, as it was first opened. Null for a table that was not open then. */
function useTableSpeech(place: Table | null, hint: string | null, { language, priceNote, prices, words }: Texts) {
  const howToOrder = hint ?? words.howToOrder;
  return useMemo(
    () =>
      place && {
        words: { ...words, howToOrder },
        language,
        priceNote,
        place,
        money: moneyOf(place.merchant, prices),
        time: timeOf(place.merchant, language),
      },
    [words, howToOrder, place, prices, priceNote, language],
  );
}

/**
 * Deletes the page's copy on this phone, and the link to it on the account page, unless that leads to another table by
 * now. The document's scripts stored both. Some browsers do not allow storage.
 */
function forgetTable(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith('table:') && localStorage.getItem(key)?.split('#')[0] === location.pathname)
        localStorage.removeItem(key);
    }
    caches.delete('table').catch(() => {});
  } catch {}
}
