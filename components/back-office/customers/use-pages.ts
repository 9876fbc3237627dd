import { useState } from 'react';

interface Cursor {
  after?: string | null;
  before?: string | null;
}

/** Keeps the page of one of several lists on a screen in state, because the URL has room for one list only. */
export function usePages() {
  const [cursor, setPage] = useState<Cursor>({});
  return { page: { after: cursor.after ?? undefined, before: cursor.before ?? undefined }, setPage };
}
