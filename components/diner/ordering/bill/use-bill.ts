import { useCallback, useEffect, useRef, useState } from 'react';
import type { DinerClient } from '../../diner-client';
import { startRefreshing } from '../use-table';
import type { DinerBill } from './types';

/** Polled because a hold, or the till's settling, may end by time alone, without a notification. */
const heldPollMs = 20_000;

/**
 * The table's bill, fetched when the sheet opens and whenever `version` changes. Undefined until then; null if no bill
 * is open.
 */
export function useBill(client: DinerClient, guestId: string, version: number) {
  const [bill, setBill] = useState<DinerBill | null>();
  const [isStale, setStale] = useState(false);
  const refreshBill = useRef(() => {});
  const refresh = useCallback(() => refreshBill.current(), []);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const start = startRefreshing(
      async () => {
        const answer = await client.bill.get.query({ guestId }, { signal });
        if (!signal.aborted) setBill(answer);
      },
      (fetched) => signal.aborted || setStale(fetched === 'failed'),
      signal,
    );
    refreshBill.current = () => void start();
    return () => leaving.abort();
  }, [client, guestId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is why it is fetched
  useEffect(refresh, [refresh, version]);
  const endsByTime = (bill?.held ?? 0) > 0 || bill?.isSettling === true;
  useEffect(() => {
    if (!endsByTime) return;
    const timer = setInterval(refresh, heldPollMs);
    return () => clearInterval(timer);
  }, [endsByTime, refresh]);

  return { bill, isStale, refresh };
}
