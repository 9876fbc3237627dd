import { useCallback, useEffect, useState } from 'react';
import type { Finder } from './index';

/**
 * Loads the finder once it is needed, or by `load`, which returns false if its file can't be fetched. Null until then.
 */
export function useFinder(isNeeded: boolean): [finder: Finder | null, load: () => Promise<boolean>] {
  const [finder, setFinder] = useState<Finder | null>(null);
  const load = useCallback(
    () =>
      import('./index').then(
        ({ finder: loaded }) => {
          setFinder(loaded);
          return true;
        },
        () => false,
      ),
    [],
  );
  useEffect(() => {
    if (isNeeded) load();
  }, [isNeeded, load]);
  return [finder, load];
}

/** If one is saved, the document is marked before the page is painted: `pages/_document.tsx`. */
const key = 'menu-filter';

/** The filter that the phone remembers for all restaurants; empty without one. Only the finder reads it. */
export function useSavedFilter(): [filter: string, save: (filter: string) => void] {
  const [filter, setFilter] = useState('');
  useEffect(() => {
    try {
      setFilter(localStorage.getItem(key) ?? '');
    } catch {}
  }, []);
  const save = useCallback((changed: string) => {
    setFilter(changed);
    document.documentElement.classList.remove('has-filter');
    try {
      localStorage.setItem(key, changed);
    } catch {}
  }, []);
  return [filter, save];
}
