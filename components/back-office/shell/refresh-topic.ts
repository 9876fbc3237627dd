import type { Query, QueryClient } from '@tanstack/react-query';
import type { Topic } from '@/server/domain/kernel/changes';

/** Queries that a topic refetches in addition to those of its own router. */
const alsoShownIn: Partial<Record<Topic, string[][]>> = {
  bills: [['tables', 'list'], ['disputes']],
  orders: [['tables', 'list']],
  qrCodes: [['tables', 'list']],
  settings: [['cardAccount']],
  transactions: [['cashUps'], ['disputes']],
  vouchers: [
    ['customers', 'get'],
    ['customers', 'vouchers'],
  ],
};

/** Refetches a topic's queries on the screen. The topic is the name of the router whose results have changed. */
export async function refreshTopic(queryClient: QueryClient, topic: Topic): Promise<void> {
  const paths = [[topic], ...(alsoShownIn[topic] ?? [])];
  await Promise.all(paths.map((path) => refreshQueries(queryClient, { queryKey: [path] })));
}

const repeatedQueries = new WeakSet<Query>();

/**
 * Refetches the matching queries on the screen, or all. A first fetch still in flight may have read before the change,
 * and invalidation alone would keep its result. So it is repeated, once for any number of changes.
 */
export async function refreshQueries(queryClient: QueryClient, filters: { queryKey?: string[][] } = {}): Promise<void> {
  const underWay = queryClient
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  await Promise.all([
    queryClient.invalidateQueries(filters),
    ...underWay.map(async (query) => {
      if (repeatedQueries.has(query)) return;
      repeatedQueries.add(query);
      await query.promise?.catch(() => {});
      repeatedQueries.delete(query);
      await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
}
