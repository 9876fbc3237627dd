'use client';

import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  retryLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import { beginInTime } from '@/components/calls/begin-in-time';
import { maxBatchSize, merchantHeader } from '@/server/trpc/staff/merchant-header';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { confirmLink } from '../../calls/ask-to-confirm';
import { useOffice } from './office';

const context = createTRPCContext<StaffRouter>();
export const { useTRPC } = context;

const url = '/api/trpc';

/** A lost connection may recover; a rejected request will fail again. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
  return failures < 2 && (status === undefined || status >= 500);
}

/** Without a network, a call fails at once. Otherwise it would run later, unexpectedly. */
const networkMode = 'always';

/** The merchant now demands a second step that the person lacks. A full page load shows where to set one up. */
function onQueryError(error: unknown): void {
  if (error instanceof TRPCClientError && error.data?.reason === 'second_factor_required') window.location.reload();
}

const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: onQueryError }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: isWorthRetrying, networkMode, refetchOnReconnect: true },
      mutations: { networkMode },
    },
  });

/** For a query that initialises a form: a stale cache could make saving undo someone else's change. */
export const neverFromMemory = { gcTime: 0 };

/** Provides the tRPC client to the screens below. Every call names the merchant that the page was rendered for. */
export function BackOfficeProvider({ children }: { children: ReactNode }) {
  const merchantId = useOffice().merchant.id;
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(() => {
    const headers = { [merchantHeader]: merchantId };
    return createTRPCClient<StaffRouter>({
      links: [
        confirmLink(),
        splitLink({
          condition: ({ type }) => type === 'subscription',
          true: [
            // A browser does not reconnect after a response that is not a stream, such as while the service starts.
            retryLink({ retry: ({ error }) => !error.data, retryDelayMs: () => 3_000 }),
            beginInTime(),
            httpSubscriptionLink({ url, connectionParams: { merchantId } }),
          ],
          // Files are sent unbatched, as raw bodies.
          false: splitLink({
            condition: ({ input }) => isNonJsonSerializable(input),
            true: httpLink({ url, headers }),
            // Search terms go in the body, because URLs end up in the logs of proxies.
            false: httpBatchLink({ url, headers, methodOverride: 'POST', maxItems: maxBatchSize }),
          }),
        }),
      ],
    });
  });
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
