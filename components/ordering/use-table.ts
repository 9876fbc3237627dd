import { useEffect, useRef, useState } from 'react';
import type { TablePage } from '@/server/domain/qr-ordering/table-page';
import type { DinerClient } from '../diner/diner-client';
import type { DinerLanguage } from '../diner/words';
import { backOffMs, pauseUntilBetter } from './cart/outbox';

interface LiveTable {
  page: TablePage;
  /** The service can't be reached: what is shown may be old. */
  isStale: boolean;
  /** What is shown was asked for after the last `refresh`. */
  isCurrent: boolean;
  refresh(): void;
}

/** What became of a fetch: `late` when more was asked for meanwhile. */
type Fetched = 'current' | 'late' | 'failed';

/** News come in bursts: one change is told as several, and of all parts of the page when it connects. */
const gatherMs = 100;

/**
 * Fetches whenever it is asked to, one fetch at a time: all who ask at about the same moment share one, and all who ask
 * meanwhile are served by one more. A fetch that fails is repeated, after longer and longer pauses.
 */
export function startRefreshing(
  fetchTable: () => Promise<void>,
  onFetched: (fetched: Fetched) => void,
  signal: AbortSignal,
) {
  let isRunning = false;
  let isAsked = false;
  return async function refresh(): Promise<void> {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    for (let tries = 0; isAsked && !signal.aborted; ) {
      await new Promise((gathered) => setTimeout(gathered, gatherMs));
      isAsked = false;
      try {
        await fetchTable();
        tries = 0;
        onFetched(isAsked ? 'late' : 'current');
      } catch {
        isAsked = true;
        onFetched('failed');
        await pauseUntilBetter(backOffMs(++tries), signal);
      }
    }
    isRunning = false;
  };
}

/** The table as it is now, within a second or two, for as long as somebody looks at the page. */
export function useTable(client: DinerClient, first: TablePage, language: DinerLanguage | null): LiveTable {
  const [page, setPage] = useState<TablePage>(first);
  const [isStale, setStale] = useState(false);
  const [isCurrent, setCurrent] = useState(false);
  const refresh = useRef(() => {});
  const isOpen = page.state === 'open';

  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let latest = JSON.stringify(first);
    const run = startRefreshing(
      async () => {
        const answer = await client.table.get.query({ language }, { signal });
        const text = JSON.stringify(answer);
        if (text !== latest && !signal.aborted) setPage(answer);
        latest = text;
      },
      (fetched) => {
        if (signal.aborted) return;
        setStale(fetched === 'failed');
        if (fetched !== 'late') setCurrent(fetched === 'current');
      },
      signal,
    );
    refresh.current = () => void run();

    // Browsers open six connections to a host at the most: a page that nobody looks at gives its own back.
    let stop = () => {};
    const follow = () => {
      stop();
      stop = () => {};
      if (document.visibilityState === 'hidden') return;
      const subscription = client.table.changes.subscribe(undefined, {
        // After a cut, what was missed is fetched; while it lasts, the fetching tells that we are out of reach.
        onConnectionStateChange: ({ error }) => error && run(),
        onStarted: run,
        onData: run,
      });
      stop = () => subscription.unsubscribe();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    addEventListener('online', run);
    return () => {
      leaving.abort();
      stop();
      document.removeEventListener('visibilitychange', follow);
      removeEventListener('online', run);
    };
  }, [client, first, language, isOpen]);

  return {
    page,
    isStale,
    isCurrent,
    refresh: () => {
      setCurrent(false);
      refresh.current();
    },
  };
}
