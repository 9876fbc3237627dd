import { useCallback, useEffect, useState } from 'react';
import type { DinerLanguage } from '../words';
import type { BillParts } from './bill';
import { readPayment } from './paying';

/**
 * The sheet of the bill, loaded when it is first opened. It opens by itself at `#bill`, and for a diner who returns from
 * paying. `onFailed` is called if its files can't be fetched.
 */
export function useBillSheet(token: string, language: DinerLanguage, onFailed: () => void) {
  const [Bill, setBill] = useState<BillParts['Sheet'] | null>(null);
  const open = useCallback(
    () =>
      import('./bill').then(({ loadBill }) => loadBill(language)).then(({ Sheet }) => setBill(() => Sheet), onFailed),
    [language, onFailed],
  );
  useEffect(() => {
    const openAtHash = () => {
      if (location.hash !== '#bill') return false;
      // Closing the sheet leaves the menu's address.
      history.replaceState(history.state, '', location.pathname);
      open();
      return true;
    };
    if (!openAtHash() && readPayment(token)) open();
    addEventListener('hashchange', openAtHash);
    return () => removeEventListener('hashchange', openAtHash);
  }, [token, open]);
  return { Bill, openBill: open, closeBill: () => setBill(null) };
}
