'use client';

import { createContext, Fragment, type ReactNode, useContext, useState } from 'react';

const ReloadLatest = createContext<(() => Promise<void>) | null>(null);

/** Reloads the form with the current values; null where nobody else edits it. */
export const useReloadLatest = () => useContext(ReloadLatest);

interface OpenedProps<Shown> {
  /** The query's current result, which may be newer than what was opened. */
  present: Shown;
  refetch: () => Promise<{ data: Shown | undefined }>;
  /** `onSaved` takes the new revision after a save, which the next save starts from. */
  children: (opened: Shown, onSaved: (saved: { revision: string }) => void) => ReactNode;
}

/**
 * Keeps the values that a form was opened with. Changes by others do not update it: they make saving fail until the
 * person reloads the latest version.
 */
export function Opened<Shown extends { revision: string }>({ present, refetch, children }: OpenedProps<Shown>) {
  const [{ opened, loads }, setOpened] = useState({ opened: present, loads: 0 });
  async function reloadLatest(): Promise<void> {
    const { data } = await refetch();
    if (data) setOpened({ opened: data, loads: loads + 1 });
  }
  return (
    <ReloadLatest value={reloadLatest}>
      <Fragment key={loads}>
        {children(opened, ({ revision }) => setOpened({ opened: { ...opened, revision }, loads }))}
      </Fragment>
    </ReloadLatest>
  );
}
