import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ReactNode } from 'react';
import { currentStaff } from '@/server/auth/current-merchant';
import { type StaffRouter, staffRouter } from '@/server/trpc/staff/router';

/** Serialises data as if the screen got it over HTTP. */
const serializeData = (data: unknown): unknown => JSON.parse(JSON.stringify(data));

/**
 * Renders a screen together with the data of its first queries, which would otherwise wait for its scripts. If a query
 * fails here, the screen repeats it and shows the error.
 */
export async function FirstData({
  load,
  children,
}: {
  load: (cache: QueryClient, trpc: TRPCOptionsProxy<StaffRouter>) => Promise<void>[];
  children: ReactNode;
}) {
  const staff = await currentStaff();
  const queryClient = new QueryClient();
  const ctx = { staff, reloadStaff: async () => staff };
  const trpc = createTRPCOptionsProxy({ router: staffRouter, ctx, queryClient });
  await Promise.all(load(queryClient, trpc));
  return <HydrationBoundary state={dehydrate(queryClient, { serializeData })}>{children}</HydrationBoundary>;
}
