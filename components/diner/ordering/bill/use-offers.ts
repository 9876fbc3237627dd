import { useEffect, useState } from 'react';
import { useSpeech } from '../table-context';
import { useBillPage } from './bill-context';
import { readRefusal } from './refusal';
import type { DinerBill, Offers } from './types';

type Loaded =
  | { state: 'loading' | 'signedOut' }
  | { state: 'refused'; text: string }
  | { state: 'loaded'; offers: Offers };

/** What the signed-in diner can use on the current bill. Without a session, nothing is requested. */
export function useOffers(bill: DinerBill, hasSession: boolean): Loaded {
  const { client, words } = useBillPage();
  const { money, language } = useSpeech();
  const [loaded, setLoaded] = useState<Loaded>({ state: hasSession ? 'loading' : 'signedOut' });
  const { lines, discount, total, available, redemptions } = bill;
  const fitted = JSON.stringify([lines, discount, total, available, redemptions]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what fits depends on these
  useEffect(() => {
    if (!hasSession) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    client.bill.offers.query({ language }, { signal }).then(
      (offers) => signal.aborted || setLoaded({ state: 'loaded', offers }),
      (error) => {
        if (signal.aborted) return;
        const { isSignedOut, reason, text } = readRefusal(error, words, money);
        const isUnknown = isSignedOut || reason === 'customer_not_found';
        setLoaded(isUnknown ? { state: 'signedOut' } : { state: 'refused', text });
      },
    );
    return () => leaving.abort();
  }, [client, fitted, language, words, money, hasSession]);
  return loaded;
}
