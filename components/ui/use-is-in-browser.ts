'use client';

import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** True once the page is hydrated; false on the server and briefly after loading. */
export const useIsInBrowser = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
