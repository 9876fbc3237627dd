import { useEffect } from 'react';
import type { DinerClient } from '../../diner-client';

/** A look-up is one indexed query, and a till opens a bill soon. */
const lookEveryMs = 5_000;

/**
 * Leads to the page of the table's bill soon after its till has opened one. A hidden page checks when it is shown
 * again.
 */
export function useBillOfTable(client: DinerClient): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const look = async () => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') return;
      try {
        const { path } = await client.card.bill.query();
        if (path !== null && !isLeft) return location.replace(path);
      } catch {
        // Without a network, or rate-limited: the next look-up may succeed.
      }
      if (!isLeft) timer = setTimeout(look, lookEveryMs);
    };
    timer = setTimeout(look, lookEveryMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [client]);
}
