import { createTRPCClient, httpLink, httpSubscriptionLink, retryLink, splitLink } from '@trpc/client';
import type { DinerRouter } from '@/server/trpc/diner/router';
import { beginInTime } from '../live/begin-in-time';

const url = '/api/diner';
/** Longer than an answer takes, even on a bad network. */
const longestMs = 15_000;

/** Gives a request up that nobody answers in full: the network has gone without a word. */
const withinTime: typeof fetch = (input, init) => {
  const giveUp = new AbortController();
  const abort = () => giveUp.abort();
  setTimeout(abort, longestMs);
  if (init?.signal?.aborted) abort();
  init?.signal?.addEventListener('abort', abort, { signal: giveUp.signal });
  return fetch(input, { ...init, signal: giveUp.signal });
};

/** The way to the diners' procedures: those of a table by its code's token, those of an account by its merchant. */
export function createDinerClient(named: { tableToken: string } | { merchantId: string }) {
  const headers: Record<string, string> =
    'tableToken' in named ? { 'x-table-token': named.tableToken } : { 'x-merchant-id': named.merchantId };
  return createTRPCClient<DinerRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: [
          // A browser does not come back by itself from an answer that is no stream: the service is starting, say.
          retryLink({ retry: () => true, retryDelayMs: (tries) => Math.min(30_000, 1000 * 2 ** tries) }),
          beginInTime(),
          httpSubscriptionLink({ url, connectionParams: { ...named } }),
        ],
        false: httpLink({ url, headers, fetch: withinTime }),
      }),
    ],
  });
}

export type DinerClient = ReturnType<typeof createDinerClient>;
