import type { Query, QueryClient } from '@tanstack/react-query';
import type { Topic } from '@/server/domain/core/changes';

/** Where a topic shows besides the answers of its own router. */
const alsoShownIn: Partial<Record<Topic, string[][]>> = {
  vouchers: [
    ['customers', 'get'],
    ['customers', 'vouchers'],
  ],
};

/** Refetches what is on the screen of a topic, which has the name of the router whose answers have changed. */
export async function refreshTopic(queryClient: QueryClient, topic: Topic): Promise<void> {
  const paths = [[topic], ...(alsoShownIn[topic] ?? [])];
  await Promise.all(paths.map((path) => refresh(queryClient, { queryKey: [path] })));
}

const askedOnceMore = new WeakSet<Query>();

/**
 * Refetches what is on the screen, of these queries or of all. A first answer that is still on its way may have been
 * read before the change, and invalidating alone would wait for that one: it is asked for once more, however many changes
 * there are meanwhile.
 */
export async function refresh(queryClient: QueryClient, filters: { queryKey?: string[][] } = {}): Promise<void> {
  const underWay = queryClient
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  await Promise.all([
    queryClient.invalidateQueries(filters),
    ...underWay.map(async (query) => {
      if (askedOnceMore.has(query)) return;
      askedOnceMore.add(query);
      await query.promise?.catch(() => {});
      askedOnceMore.delete(query);
      await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
}
