'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
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
import { maxBatchSize, merchantHeader } from '@/server/trpc/staff/merchant-header';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { beginInTime } from '../live/begin-in-time';
import { useOffice } from './office';

const context = createTRPCContext<StaffRouter>();
export const { useTRPC } = context;

const url = '/api/trpc';

/** A refusal will not get better by asking again; a lost connection may. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
  return failures < 2 && (status === undefined || status >= 500);
}

/** Without a network a call fails at once and says so; it does not wait, to be carried out when nobody expects it. */
const networkMode = 'always';

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 10_000, retry: isWorthRetrying, networkMode, refetchOnReconnect: true },
      mutations: { networkMode },
    },
  });

/** For the query that a form begins with: saving must not bring back what somebody else has changed meanwhile. */
export const neverFromMemory = { gcTime: 0 };

/** The way to the procedures, for the screens below. Every call names the merchant that the page was made for. */
export function BackOfficeProvider({ children }: { children: ReactNode }) {
  const merchantId = useOffice().merchant.id;
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(() => {
    const headers = { [merchantHeader]: merchantId };
    return createTRPCClient<StaffRouter>({
      links: [
        splitLink({
          condition: ({ type }) => type === 'subscription',
          true: [
            // A browser does not come back by itself from an answer that is no stream: the service is starting, say.
            retryLink({ retry: ({ error }) => !error.data, retryDelayMs: () => 3_000 }),
            beginInTime(),
            httpSubscriptionLink({ url, connectionParams: { merchantId } }),
          ],
          // A file goes by itself, as it is.
          false: splitLink({
            condition: ({ input }) => isNonJsonSerializable(input),
            true: httpLink({ url, headers }),
            // What is searched for stands in the body: addresses end up in the logs of proxies.
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
