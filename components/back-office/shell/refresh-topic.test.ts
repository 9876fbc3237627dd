import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { createTRPCClient, httpLink } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { expect, test } from 'vitest';
import type { Topic } from '@/server/domain/kernel/changes';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { refreshTopic } from './refresh-topic';

/** Returns which of some queries on the screen a topic refetches. */
async function staleAfter(topic: Topic): Promise<string[]> {
  const queryClient = new QueryClient();
  const client = createTRPCClient<StaffRouter>({ links: [httpLink({ url: 'http://localhost' })] });
  const trpc = createTRPCOptionsProxy<StaffRouter>({ queryClient, client });
  const customerId = '00000000-0000-7000-8000-000000000001';
  const shown = {
    campaign: trpc.campaigns.get.queryKey({ campaignId: customerId }),
    vouchers: trpc.vouchers.list.queryKey({ campaignId: customerId }),
    customer: trpc.customers.get.queryKey({ customerId }),
    'customer’s vouchers': trpc.customers.vouchers.queryKey({ customerId, isPast: false }),
    'customer’s sales': trpc.customers.sales.queryKey({ customerId }),
    customers: trpc.customers.list.queryKey({}),
  };
  for (const queryKey of Object.values(shown)) queryClient.setQueryData<unknown>(queryKey, {});
  await refreshTopic(queryClient, topic);
  return Object.entries(shown)
    .filter(([, queryKey]) => queryClient.getQueryState(queryKey)?.isInvalidated)
    .map(([name]) => name);
}

test('an issued voucher refetches the open page of its customer', async () => {
  expect(await staleAfter('vouchers')).toEqual(['vouchers', 'customer', 'customer’s vouchers']);
});

test('any other topic refetches the queries of its router', async () => {
  expect(await staleAfter('campaigns')).toEqual(['campaign']);
  expect(await staleAfter('customers')).toEqual(['customer', 'customer’s vouchers', 'customer’s sales', 'customers']);
  expect(await staleAfter('stores')).toEqual([]);
});

test('a first fetch that started before a change is repeated once', async () => {
  const queryClient = new QueryClient();
  const answers = ['old', 'new'];
  let arrive = () => {};
  const screen = new QueryObserver(queryClient, {
    queryKey: [['stockOuts', 'list']],
    queryFn: async () => {
      const answer = answers.shift();
      if (answer === 'old') await new Promise<void>((resolve) => (arrive = resolve));
      return answer;
    },
  });
  const leave = screen.subscribe(() => {});
  const refreshed = refreshTopic(queryClient, 'stockOuts');
  arrive();
  await refreshed;
  expect(screen.getCurrentResult().data).toBe('new');
  leave();
});
