'use client';

import { createContext, Fragment, type ReactNode, useContext, useState } from 'react';

const LoadPresent = createContext<(() => Promise<void>) | null>(null);

/** Restarts the form with what is there now; null where nobody else edits it. */
export const useLoadPresent = () => useContext(LoadPresent);

interface OpenedProps<Shown> {
  /** What the query answers, which may be newer than what was opened. */
  present: Shown;
  refetch: () => Promise<{ data: Shown | undefined }>;
  /** `onSaved` takes the revision that a save answers: the next one begins from it. */
  children: (opened: Shown, onSaved: (saved: { revision: string }) => void) => ReactNode;
}

/**
 * What a form was opened with. It does not follow what others change meanwhile: their change stands in the way of
 * saving, until the person asks for what is there now.
 */
export function Opened<Shown extends { revision: string }>({ present, refetch, children }: OpenedProps<Shown>) {
  const [{ opened, loads }, setOpened] = useState({ opened: present, loads: 0 });
  async function loadPresent(): Promise<void> {
    const { data } = await refetch();
    if (data) setOpened({ opened: data, loads: loads + 1 });
  }
  return (
    <LoadPresent value={loadPresent}>
      <Fragment key={loads}>
        {children(opened, ({ revision }) => setOpened({ opened: { ...opened, revision }, loads }))}
      </Fragment>
    </LoadPresent>
  );
}
