import { createTRPCClient, httpLink, httpSubscriptionLink, retryLink, splitLink } from '@trpc/client';
import type { DinerRouter } from '@/server/trpc/diner/router';
import { beginInTime } from '../calls/begin-in-time';

const url = '/api/diner';
/** Longer than a response takes, even on a bad network. */
const timeoutMs = 15_000;

/** Aborts a request whose response is not complete in time, because the network may have gone silently. */
const fetchWithTimeout: typeof fetch = (input, init) => {
  const giveUp = new AbortController();
  const abort = () => giveUp.abort();
  setTimeout(abort, timeoutMs);
  if (init?.signal?.aborted) abort();
  init?.signal?.addEventListener('abort', abort, { signal: giveUp.signal });
  return fetch(input, { ...init, signal: giveUp.signal });
};

/**
 * Creates the client of the diners' procedures: those of a table by its QR code's token, those of an account by its
 * merchant.
 */
export function createDinerClient(named: { tableToken: string } | { merchantId: string }) {
  const headers: Record<string, string> =
    'tableToken' in named ? { 'x-table-token': named.tableToken } : { 'x-merchant-id': named.merchantId };
  return createTRPCClient<DinerRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: [
          // A browser does not reconnect after a response that is not a stream, such as while the service starts.
          retryLink({ retry: () => true, retryDelayMs: (tries) => Math.min(30_000, 1000 * 2 ** tries) }),
          beginInTime(),
          httpSubscriptionLink({ url, connectionParams: { ...named } }),
        ],
        // Inputs may be secret, such as the guest's id. Bodies are not logged, but URLs are.
        false: httpLink({ url, headers, fetch: fetchWithTimeout, methodOverride: 'POST' }),
      }),
    ],
  });
}

export type DinerClient = ReturnType<typeof createDinerClient>;
