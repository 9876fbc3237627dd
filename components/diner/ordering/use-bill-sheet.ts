import { useCallback, useEffect, useState } from 'react';
import type { DinerLanguage, TableWords } from '../words';
import type { BillParts } from './bill';

/**
 * The bill's sheet, loaded when it is first opened. It opens by itself at `#bill`, to which Stripe's page leads back.
 * `onFailed` is called if its files can't be fetched.
 */
export function useBillSheet(language: DinerLanguage, words: TableWords, onFailed: () => void) {
  const [Bill, setBill] = useState<BillParts['Sheet'] | null>(null);
  const open = useCallback(
    () =>
      import('./bill')
        .then(({ loadBill }) => loadBill(language, words))
        .then(({ Sheet }) => setBill(() => Sheet), onFailed),
    [language, words, onFailed],
  );
  useEffect(() => {
    const openAtHash = () => {
      if (location.hash !== '#bill') return;
      // Removes `#bill` from the address when the sheet closes.
      history.replaceState(history.state, '', location.pathname);
      open();
    };
    openAtHash();
    addEventListener('hashchange', openAtHash);
    return () => removeEventListener('hashchange', openAtHash);
  }, [open]);
  return { Bill, openBill: open, closeBill: () => setBill(null) };
}
