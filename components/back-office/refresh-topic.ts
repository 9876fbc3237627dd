import type { QueryClient } from '@tanstack/react-query';
import type { Topic } from '@/server/domain/core/changes';

/** Where a topic shows besides the answers of its own router. */
const alsoShownIn: Partial<Record<Topic, string[][]>> = {
  vouchers: [
    ['customers', 'get'],
    ['customers', 'vouchers'],
  ],
};

/** Fetches anew what is on the screen of a topic: its name is that of the router whose answers have changed. */
export async function refreshTopic(queryClient: QueryClient, topic: Topic): Promise<void> {
  const paths = [[topic], ...(alsoShownIn[topic] ?? [])];
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}
