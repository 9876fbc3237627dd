import { useEffect, useMemo, useRef, useState } from 'react';
import { useIsInBrowser } from '@/components/ui/use-is-in-browser';
import type { TablePage } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { type DinerLanguage, fillText, type TableWords, type TextName } from '../words';
import type { BillParts } from './bill';
import type { Cart } from './cart/cart';
import type { SavedBill } from './cart/keep-bill';
import { forgetBill, readBill } from './cart/read-bill';
import OrderList from './order-list';
import { moneyOf, TableSpeechProvider, timeOf } from './table-context';
import { TableFooter } from './table-footer';
import type { OutcomeText } from './use-said';

type Closed = Exclude<TablePage, { state: 'open' }>;

/** These say no more than is known: only a till knows that a bill is settled. */
const texts: Record<Closed['state'], { title: TextName<TableWords>; why: TextName<TableWords> }> = {
  settled: { title: 'settledAt', why: 'settledWhy' },
  closed: { title: 'closedTitle', why: 'closedWhy' },
  declined: { title: 'declinedTitle', why: 'declinedWhy' },
  expired: { title: 'expiredTitle', why: 'expiredWhy' },
  unknown: { title: 'unknownTitle', why: 'unknownWhy' },
};

/** The heading of a closed table's page. */
export const closedTitle = (page: Closed, words: TableWords): string =>
  fillText(words[texts[page.state].title], { merchant: page.state === 'unknown' ? '' : page.merchantName });

interface ClosedNoticeProps {
  client: DinerClient;
  token: string;
  page: Closed;
  language: DinerLanguage;
  words: TableWords;
  /** The cart, with what this phone has not ordered. */
  cart: Cart;
  /** The outcome of an order that was pending when the table closed. */
  outcome: OutcomeText | null;
  /** True if it replaces a page that was open. */
  isNews: boolean;
  /** Deletes the cart. */
  onForget: () => void;
}

/** The page of a QR code that takes no orders, with this phone's own record of the orders. */
export default function ClosedNotice({
  client,
  token,
  page,
  language,
  words,
  cart,
  outcome,
  isNews,
  onForget,
}: ClosedNoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isKnown = page.state !== 'unknown';
  const hasRecord = isKnown || isNews;
  useEffect(() => {
    if (isNews) heading.current?.focus();
  }, [isNews]);
  // A day after the table has closed, the phone deletes its record, too.
  useEffect(() => {
    if (hasRecord) return;
    forgetBill(token);
    onForget();
  }, [token, hasRecord, onForget]);
  const Bill = useBillRecord(language, words, hasRecord);
  const isInBrowser = useIsInBrowser();
  // Read at each render, because an order's outcome changes it.
  const bill = isInBrowser ? readBill(token) : null;
  return (
    <>
      <main id="content" className="relative isolate flex-1 overflow-hidden">
        <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
        <div className="mx-auto w-full max-w-2xl px-5 pt-10 pb-14 sm:px-8 sm:py-14">
          {isKnown && page.state !== 'settled' ? (
            <p className="mb-1.5 text-sm font-medium text-accent wrap-anywhere">{page.merchantName}</p>
          ) : null}
          <h1
            ref={heading}
            tabIndex={-1}
            className="text-[min(1.875rem,8.75vw)]/tight font-semibold tracking-[-0.03em] wrap-anywhere outline-none sm:text-5xl/tight"
          >
            {closedTitle(page, words)}
          </h1>
          <p
            role="status"
            className={outcome ? `mt-5 ${outcome.isGood ? 'notice-good' : 'notice-caution'}` : 'sr-only'}
          >
            {outcome?.text}
          </p>
          <p className="mt-5 text-lg leading-relaxed text-muted">{words[texts[page.state].why]}</p>
          <p className="mt-4 text-lg leading-relaxed">{words.closedHelp}</p>
          {Bill ? <Bill client={client} token={token} language={language} common={words} /> : null}
          {hasRecord && !cart.pending ? <NotSent cart={cart} words={words} /> : null}
          {hasRecord && bill && bill.orders.length > 0 ? (
            <Record bill={bill} language={language} words={words} />
          ) : null}
        </div>
      </main>
      <TableFooter width="max-w-2xl" />
    </>
  );
}

/** The part that shows this phone's record of the bill; null until it is loaded. */
function useBillRecord(language: DinerLanguage, words: TableWords, isShown: boolean) {
  const [Bill, setBill] = useState<BillParts['Record'] | null>(null);
  useEffect(() => {
    if (!isShown) return;
    import('./bill')
      .then(({ loadBill }) => loadBill(language, words))
      .then(
        ({ Record }) => setBill(() => Record),
        () => {},
      );
  }, [language, words, isShown]);
  return Bill;
}

/** What was still in this phone's cart. */
function NotSent({ cart: { lines }, words }: { cart: Cart; words: TableWords }) {
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="not-sent" className="mt-8 rounded-xl bg-caution-tint p-4 text-caution">
      <h2 id="not-sent" className="font-semibold">
        {words.notSent}
      </h2>
      <p className="text-sm">{words.notSentWhy}</p>
      <ul className="mt-2 text-[0.9375rem]/6">
        {lines.map(({ quantity, name, optionNames }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a closed table's cart never changes
          <li key={at} className="wrap-anywhere">
            {quantity} × {[name, ...optionNames].join(words.comma)}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RecordProps {
  bill: SavedBill;
  language: DinerLanguage;
  words: TableWords;
}

/** The orders as this phone last saw them. */
function Record({ bill, language, words }: RecordProps) {
  const { merchant, priceNote, orders, seenAt } = bill;
  const speech = useMemo(
    () => ({ words, language, priceNote, place: bill, money: moneyOf(merchant, {}), time: timeOf(merchant, language) }),
    [words, language, priceNote, merchant, bill],
  );
  const time = speech.time(new Date(seenAt).toISOString());
  return (
    <TableSpeechProvider value={speech}>
      <section aria-labelledby="ordered-title" className="mt-8">
        <h2 id="ordered-title" className="text-xl font-semibold tracking-[-0.02em]">
          {words.orders}
        </h2>
        <OrderList orders={orders} recordHint={fillText(words.recordHint, { time })} />
      </section>
    </TableSpeechProvider>
  );
}
