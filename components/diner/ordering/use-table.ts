import { startTransition, useEffect, useRef, useState } from 'react';
import type { TablePage } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import type { DinerLanguage } from '../words';
import { backOffMs, pauseUntilBetter } from './cart/outbox';
import { readGuest } from './guest';

export interface LiveTable {
  page: TablePage;
  /** True while the service can't be reached, so that the page may be outdated. */
  isStale: boolean;
  /** Changes each time the bill may have changed. */
  billVersion: number;
  /** True if the page was fetched after the last refresh. */
  isCurrent: boolean;
  refresh(): void;
}

/** The result of a fetch: `late` if another refresh was requested meanwhile. */
type Fetched = 'current' | 'late' | 'failed';

/** Events come in bursts: one change sends several, and a new connection sends one for each part of the page. */
const burstMs = 100;

/**
 * Returns a function that requests a fetch. One fetch runs at a time. Requests at about the same moment share one, and
 * all requests during a fetch share the next. A failed fetch is retried with growing pauses.
 */
export function startRefreshing(
  fetchTable: () => Promise<void>,
  onFetched: (fetched: Fetched) => void,
  signal: AbortSignal,
) {
  let isRunning = false;
  let isRequested = false;
  return async function refresh(): Promise<void> {
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    for (let tries = 0; isRequested && !signal.aborted; ) {
      await new Promise((gathered) => setTimeout(gathered, burstMs));
      isRequested = false;
      try {
        await fetchTable();
        tries = 0;
        onFetched(isRequested ? 'late' : 'current');
      } catch {
        isRequested = true;
        onFetched('failed');
        await pauseUntilBetter(backOffMs(++tries), signal);
      }
    }
    isRunning = false;
  };
}

/** The table, at most a second or two old while the page is visible. */
export function useTable(
  client: DinerClient,
  token: string,
  first: TablePage,
  language: DinerLanguage | null,
): LiveTable {
  const [page, setPage] = useState<TablePage>(first);
  const [isStale, setStale] = useState(false);
  const [isCurrent, setCurrent] = useState(false);
  const [billVersion, setBillVersion] = useState(0);
  const refresh = useRef(() => {});
  const isOpen = page.state === 'open';

  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const { guestId } = readGuest(token);
    let latest = JSON.stringify(first);
    const refreshTable = startRefreshing(
      async () => {
        const answer = await client.table.get.query({ language, guestId }, { signal });
        if (answer.state === 'moved') return location.replace(answer.origin + location.pathname);
        const text = JSON.stringify(answer);
        // In a transition, so that the page stays until the notice of a closed table is loaded.
        if (text !== latest && !signal.aborted) startTransition(() => setPage(answer));
        latest = text;
      },
      (fetched) => {
        if (signal.aborted) return;
        setStale(fetched === 'failed');
        if (fetched !== 'late') setCurrent(fetched === 'current');
      },
      signal,
    );
    refresh.current = () => void refreshTable();
    const refreshAll = () => {
      setBillVersion((version) => version + 1);
      refreshTable();
    };

    // Browsers open at most six connections to a host, so a hidden page closes its stream.
    let stop = () => {};
    const follow = () => {
      stop();
      stop = () => {};
      if (document.visibilityState === 'hidden') return;
      const subscription = client.table.changes.subscribe(undefined, {
        // After a reconnection, fetches what was missed. While disconnected, failing fetches show that we are offline.
        onConnectionStateChange: ({ error }) => error && refreshTable(),
        onStarted: refreshAll,
        onData: (part) => (part === 'payments' ? refreshAll() : refreshTable()),
      });
      stop = () => subscription.unsubscribe();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    addEventListener('online', refreshTable);
    return () => {
      leaving.abort();
      stop();
      document.removeEventListener('visibilitychange', follow);
      removeEventListener('online', refreshTable);
    };
  }, [client, token, first, language, isOpen]);

  return {
    page,
    isStale,
    billVersion,
    isCurrent,
    refresh: () => {
      setCurrent(false);
      refresh.current();
    },
  };
}
