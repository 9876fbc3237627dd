import { useState } from 'react';

interface Cursor {
  after?: string | null;
  before?: string | null;
}

/** Which page of one of several lists on a screen: kept by the screen, for its address has room for one list only. */
export function usePages() {
  const [cursor, setPage] = useState<Cursor>({});
  return { page: { after: cursor.after ?? undefined, before: cursor.before ?? undefined }, setPage };
}
