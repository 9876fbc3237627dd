'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { refresh, refreshTopic } from './refresh-topic';
import { useTRPC } from './trpc';

/** Browsers open six connections to a host at the most: a page that nobody looks at gives its own back. */
function useIsPageVisible(): boolean {
  const [isVisible, setVisible] = useState(true);
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === 'visible');
    update();
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}

/** Keeps what is on the screen fresh. */
export function LiveUpdates() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const enabled = useIsPageVisible();
  useSubscription(
    trpc.changes.subscriptionOptions(undefined, {
      enabled,
      // After a cut, what was missed is fetched.
      onStarted: () => refresh(queryClient),
      // What a person may no longer see does not stay on the screen.
      onError: ({ data }) => data?.code === 'UNAUTHORIZED' && window.location.reload(),
      onData: async (topic) => {
        // The frame of the page knows the merchant's name, currency, zone and clock.
        if (topic === 'settings') router.refresh();
        await refreshTopic(queryClient, topic);
      },
    }),
  );
  return null;
}
