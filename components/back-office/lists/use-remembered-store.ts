import { useSyncExternalStore } from 'react';
import { useOffice } from '../office/office';

const follow = (onChange: () => void) => {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
};

/** The store last chosen on this device, so that a store's staff need not choose it on every screen. */
export function useRememberedStore() {
  const key = `store:${useOffice().merchant.id}`;
  const storeId = useSyncExternalStore(
    follow,
    () => localStorage.getItem(key),
    // The server does not know which.
    () => null,
  );
  return { storeId, remember: (chosen: string) => localStorage.setItem(key, chosen) };
}
