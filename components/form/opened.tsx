'use client';

import { createContext, Fragment, type ReactNode, useContext, useState } from 'react';

const ReloadLatest = createContext<(() => Promise<void>) | null>(null);

/** Reloads the form with the current values; null if no one else edits it. */
export const useReloadLatest = () => useContext(ReloadLatest);

interface OpenedProps<Shown> {
  /** The query's current result, which may be newer than what was opened. */
  present: Shown;
  refetch: () => Promise<{ data: Shown | undefined }>;
  /** Call `onSaved` with the new revision after a save. The next save starts from it. */
  children: (opened: Shown, onSaved: (saved: { revision: string }) => void) => ReactNode;
}

/**
 * Keeps the values with which a form was opened. Others' changes do not update it. Instead, saving fails until the
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
