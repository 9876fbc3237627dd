'use client';

import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** Whether the page's script is at work: false on the server, and for a moment after. */
export const useIsInBrowser = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
