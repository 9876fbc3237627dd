import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { ItemOnOffer, TablePage } from '@/server/domain/qr-ordering';
import { createDinerClient } from '../diner-client';
import type { PriceNote } from '../price-note';
import { type DinerLanguage, fillText, type TableWords } from '../words';
import { CallButton } from './call-button';
import type { CallSheet } from './call-sheet';
import { type CartLine, cartLimits, lineKey } from './cart/cart';
import { checkCart } from './cart/check-cart';
import { keepBill } from './cart/keep-bill';
import type { Outcome } from './cart/outbox';
import { CartBar } from './cart-bar';
import { CartSheet } from './cart-sheet';
import { PopularDishes } from './dish-strip';
import { useFinder, useSavedFilter } from './finding/use-finder';
import { ItemSheet } from './item-sheet';
import { OrderAgain, OrderList } from './lazy-parts';
import { Menu } from './menu';
import { SearchField } from './search-field';
import { moneyOf, TableSpeechProvider, timeOf } from './table-context';
import { TableFooter } from './table-footer';
import { TableHeader } from './table-header';
import { useBillSheet } from './use-bill-sheet';
import { useCart } from './use-cart';
import { useMember } from './use-member';
import { useOnline } from './use-online';
import { useOrderNews } from './use-order-news';
import { type OutcomeText, useNews } from './use-said';
import { useStockNews } from './use-stock-news';
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

/** Rejections that the reloaded menu explains. */
const changes = new Set<string | null>(['items_unavailable', 'options_changed', 'prices_changed']);
/** Rejections because the table has closed. */
const closings = new Set<string | null>(['qr_code_closed', 'qr_code_not_found']);

/** If its file is gone, for example after an update, the page is reloaded. */
const ClosedNotice = lazy(() =>
  import('./closed-notice').catch(() => {
    location.reload();
    return new Promise<never>(() => {});
  }),
);

/** The page of a scanned QR code: the menu, until the bill is settled. */
export function TableScreen({
  token,
  page: first,
  language,
  menuLanguage,
  priceNote,
  prices,
  words,
  hasSession,
}: TableScreenProps) {
  const client = useMemo(() => createDinerClient({ tableToken: token }), [token]);
  const { page, isStale, isCurrent, billVersion, refresh } = useTable(client, token, first, menuLanguage);
  const table = page.state === 'open' ? page : null;
  const member = useMember(hasSession && table ? table.merchantId : null, table?.bill?.due ?? null);
  const [outcome, setOutcome] = useState<OutcomeText | null>(null);
  const [last, setLast] = useState<OutcomeText | null>(null);
  const [news, announce] = useNews();
  const onOutcome = ({ kind, ...rest }: Outcome) => {
    // The table's orders decide whether to ask about a held order.
    refresh();
    if (kind === 'held') return;
    const isGood = kind === 'placed';
    const reason = 'reason' in rest ? rest.reason : null;
    const minutes = table?.waitMinutes;
    const placed = minutes ? fillText(words.orderPlacedWait, { minutes }) : words.orderPlaced;
    const placedText = table?.firstOrderWaits ? words.orderHeldByStaff : placed;
    const text = isGood ? placedText : changes.has(reason) ? words.orderNotPlaced : words.orderRefused;
    setOutcome({ text, isGood });
    if (!table || closings.has(reason)) setLast({ text, isGood });
    announce(text);
  };
  const { cart, change, forget, order, delivery: state } = useCart(client, token, table, onOutcome);
  const isOffline = !useOnline();
  const delivery = isOffline && cart.pending?.isUnsent ? 'waiting' : state;
  const [search, setSearch] = useState('');
  const [savedFilter, saveFilter] = useSavedFilter();
  const filter = table?.offers.filtersDiets ? savedFilter : '';
  const [isFilterOpen, setFilterOpen] = useState(false);
  const [finder, loadFinder] = useFinder(!isOffline && (filter !== '' || search !== ''));
  /** Whether this phone has ordered here before; null until the scripts run. */
  const [hasOrdered, setHasOrdered] = useState<boolean | null>(null);
  const forgetOrdered = useCallback(() => setHasOrdered(false), []);
  const [Calls, setCalls] = useState<typeof CallSheet | null>(null);
  const [isCartOpen, setCartOpen] = useState(false);
  const [open, setOpen] = useState<{ plu: string; line: CartLine | null; isNew: boolean } | null>(null);
  const choose = useCallback((item: ItemOnOffer) => setOpen({ plu: item.plu, line: null, isNew: true }), []);
  const here = first.state === 'open' ? first : null;
  const howToOrder = table?.firstOrderWaits ? words.firstOrderWaits : words.howToOrder;
  const speech = useMemo(
    () =>
      here && {
        words: { ...words, howToOrder },
        language,
        priceNote,
        place: here,
        money: moneyOf(here.merchant, prices),
        time: timeOf(here.merchant, language),
      },
    [words, howToOrder, here, prices, priceNote, language],
  );
  const categories = table?.categories ?? [];
  const checked = useMemo(() => checkCart(cart.lines, categories), [cart.lines, categories]);
  const inCart = useMemo(() => countByPlu(cart.lines), [cart.lines]);
  useOrderNews(table?.orders ?? [], words, announce);
  const [returned, setReturned] = useState('');
  useStockNews(checked, words, (stock) => {
    setReturned(stock.returned);
    if (stock.returned) setOutcome(null);
    // The bar shows what is sold out, but an open cart hides it.
    if (stock.returned || isCartOpen) announce(stock.returned || stock.gone);
  });
  const { Bill, openBill, closeBill } = useBillSheet(
    language,
    words,
    useCallback(() => announce(words.outOfDate), [announce, words]),
  );
  useEffect(() => {
    dispatchEvent(new Event('usable'));
    // The document's script has already checked, so that there is room for those dishes from the first paint.
    setHasOrdered(document.documentElement.classList.contains('has-ordered'));
  }, []);

  const isOpen = table !== null;
  useEffect(() => {
    if (!isOpen) forgetTable();
  }, [isOpen]);
  // Without a network, the shown copy of the page may be older than the record.
  useEffect(() => {
    if (table && isCurrent) keepBill(token, { ...table, priceNote });
  }, [token, table, isCurrent, priceNote]);

  if (page.state !== 'open') {
    const sending = { text: delivery === 'silent' ? words.stillSending : words.sendingOrder, isGood: true };
    const lastOutcome = cart.pending ? sending : last;
    return (
      <Suspense>
        <ClosedNotice
          client={client}
          token={token}
          page={page}
          language={language}
          words={words}
          cart={cart}
          outcome={lastOutcome}
          isNews={first.state === 'open'}
          onForget={forget}
        />
      </Suspense>
    );
  }

  if (!table || !speech) return null;

  const save = (line: CartLine) => {
    if (open?.line && !open.isNew) return change({ type: 'replace', key: lineKey(open.line), line });
    const isFull = cart.lines.length >= cartLimits.lines && !cart.lines.some((one) => lineKey(one) === lineKey(line));
    if (!isFull) change({ type: 'add', line });
    announce(isFull ? words.tooManyLines : fillText(words.addedToCart, { name: line.name }));
  };
  const place = () => {
    setOutcome(null);
    setReturned('');
    order(checked.ready.map(({ key }) => key));
  };
  const withdraw = (clientOrderId: string) => {
    change({ type: 'withdraw', clientOrderId });
    setOutcome({ text: words.orderWithdrawn, isGood: true });
  };
  const openFilter = async () => ((await loadFinder()) ? setFilterOpen(true) : announce(words.outOfDate));
  const openCalls = () =>
    import('./call-sheet').then(
      ({ CallSheet }) => setCalls(() => CallSheet),
      () => announce(words.outOfDate),
    );
  const item = open && categories.flatMap(({ items }) => items).find(({ plu }) => plu === open.plu);
  // A dish that leaves the menu while its sheet is open must not reopen when it returns.
  if (open && !item) setOpen(null);
  const held = delivery === 'held' ? words.orderWaits : null;
  const isHeld = table.orders.some(({ number, status }) => number < 0 && status === 'placed');
  const isAnswered = outcome?.text === words.orderHeldByStaff && table.orders.length > 0 && !isHeld;
  const warning = isOffline ? words.offline : isStale ? words.outOfDate : null;

  return (
    <TableSpeechProvider value={speech}>
      <a href="#content" className="skip-link">
        {words.skipToMenu}
      </a>
      <TableHeader table={table} language={language} isOffline={isOffline} member={member} />
      <SearchField
        search={search}
        onSearch={setSearch}
        isFiltered={filter !== ''}
        onFilter={table.offers.filtersDiets ? openFilter : null}
      >
        {table.offers.callsStaff ? <CallButton isWaiting={table.calls.length > 0} onOpen={openCalls} /> : null}
      </SearchField>
      {search || filter ? null : (
        <>
          {table.offers.ordersAgain && hasOrdered !== false ? (
            <div className="again-place">
              {hasOrdered ? (
                <Suspense>
                  <OrderAgain
                    table={table}
                    onChoose={(line) => setOpen({ plu: line.plu, line, isNew: true })}
                    onNone={forgetOrdered}
                  />
                </Suspense>
              ) : null}
            </div>
          ) : null}
          <PopularDishes table={table} onChoose={(plu) => setOpen({ plu, line: null, isNew: true })} />
        </>
      )}
      <Menu
        categories={categories}
        search={search}
        filter={filter}
        finder={finder}
        inCart={inCart}
        popular={table.popular}
        onChoose={choose}
      />
      {table.orders.length > 0 ? (
        // Only the server renders this, so that the list is loaded only if it is shown.
        <noscript>
          <section aria-labelledby="ordered-without-script" className="mx-auto w-full max-w-6xl px-5 pb-16 sm:px-8">
            <h2 id="ordered-without-script" className="text-xl font-semibold">
              {words.orders}
            </h2>
            <OrderList orders={table.orders} />
          </section>
        </noscript>
      ) : null}
      <TableFooter pricesIn={priceNote.text} />
      <CartBar
        checked={checked}
        delivery={cart.pending && delivery}
        orders={table.orders}
        // The open cart shows it itself.
        news={isCartOpen ? '' : news}
        warning={warning ?? held}
        onOpen={() => setCartOpen(true)}
        bill={table.bill}
        onBill={openBill}
      />
      {isCartOpen ? (
        <CartSheet
          client={client}
          member={member}
          merchantId={table.merchantId}
          cart={cart}
          checked={checked}
          orders={table.orders}
          outcome={isAnswered ? null : outcome}
          returned={returned}
          news={news}
          warning={warning}
          isOffline={isOffline}
          isCurrent={isCurrent}
          waitMinutes={table.waitMinutes}
          delivery={delivery}
          onChange={change}
          onEdit={({ line }) => setOpen({ plu: line.plu, line, isNew: false })}
          onOrder={place}
          onWithdraw={withdraw}
          onBill={table.bill && openBill}
          onClose={() => {
            setCartOpen(false);
            setOutcome(null);
            setReturned('');
          }}
        />
      ) : null}
      {Calls ? (
        <Calls
          client={client}
          calls={table.calls}
          warning={warning}
          onChanged={refresh}
          onClose={() => setCalls(null)}
        />
      ) : null}
      {isFilterOpen && finder ? (
        <finder.FilterSheet
          categories={categories}
          filter={filter}
          warning={warning}
          onSave={saveFilter}
          onClose={() => setFilterOpen(false)}
        />
      ) : null}
      {open && item ? (
        <ItemSheet
          item={item}
          warning={warning}
          line={open.line}
          isNew={open.isNew}
          onSave={save}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {Bill ? (
        <Bill
          client={client}
          token={token}
          table={table}
          warning={warning}
          hasSession={hasSession}
          version={billVersion}
          onCalled={refresh}
          onClose={closeBill}
        />
      ) : null}
    </TableSpeechProvider>
  );
}

function countByPlu(lines: readonly CartLine[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { plu, quantity } of lines) counts.set(plu, (counts.get(plu) ?? 0) + quantity);
  return counts;
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
