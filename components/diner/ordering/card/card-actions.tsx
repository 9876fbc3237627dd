import { useState } from 'react';
import type { MenuOfTable } from '@/server/domain/floor';
import type { DinerClient } from '../../diner-client';
import type { CardWords } from '../../words';
import { useSpeech } from '../table-context';

interface CardActionsProps {
  client: DinerClient;
  offers: MenuOfTable['offers'];
  words: CardWords;
  /** A lasting warning, for example while offline. */
  warning: string | null;
}

/** What guests can do at a table without an open bill: start ordering, call staff. Always visible. */
export function CardActions({ client, offers, words, warning }: CardActionsProps) {
  const { words: tableWords } = useSpeech();
  const [isBusy, setBusy] = useState(false);
  const [news, setNews] = useState('');
  const [isCalled, setCalled] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setNews('');
    try {
      await work();
    } catch (error) {
      const isTold = typeof (error as { data?: { httpStatus?: number } }).data?.httpStatus === 'number';
      setNews(isTold ? words.askStaff : tableWords.outOfDate);
    }
    setBusy(false);
  };
  const start = () =>
    attempt(async () => {
      const { path } = await client.card.start.mutate();
      location.replace(path);
    });
  const call = () =>
    attempt(async () => {
      await client.card.callStaff.mutate();
      setCalled(true);
      setNews(words.staffCalled);
    });
  return (
    <div className="cart-bar">
      <p role="status" className={news ? 'news' : 'sr-only'}>
        {news}
      </p>
      <p role="status" className={warning ? 'warning' : 'sr-only'}>
        {warning}
      </p>
      {offers.startsOrdering || offers.callsStaff ? (
        <div className="border-t border-line bg-page/95 px-5 py-3 backdrop-blur-md noscript:hidden">
          <div className="mx-auto flex w-full max-w-xl flex-wrap gap-2">
            {offers.startsOrdering ? (
              <button type="button" aria-busy={isBusy || undefined} onClick={start} className="primary-button grow">
                {words.startOrdering}
              </button>
            ) : null}
            {offers.callsStaff ? (
              <button
                type="button"
                aria-busy={isBusy || undefined}
                aria-disabled={isCalled || undefined}
                onClick={() => isCalled || call()}
                className="quiet-button grow"
              >
                {isCalled ? words.staffComing : words.callStaff}
              </button>
            ) : null}
          </div>
        </div>
      ) : null}
    </div>
  );
}
