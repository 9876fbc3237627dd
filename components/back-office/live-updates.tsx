'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { isOverdue } from '../live/begin-in-time';
import { useOffice } from './office';
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

/** What the frame of each page is made of. */
const framed = ['name', 'currency', 'country', 'timeZone', 'locale', 'clockAheadSeconds'] as const;

/** Keeps what is on the screen fresh. */
export function LiveUpdates() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const enabled = useIsPageVisible();
  const { merchant } = useOffice();

  /**
   * Whether the frame of the page shows the merchant as it no longer is. It is refreshed only when needed: meanwhile, a
   * change of the address (a filter, an order) would load the whole page.
   */
  async function isFrameOld(): Promise<boolean> {
    const settings = await queryClient.fetchQuery(trpc.settings.get.queryOptions()).catch(() => null);
    return settings !== null && framed.some((name) => settings[name] !== merchant[name]);
  }

  useSubscription(
    trpc.changes.subscriptionOptions(undefined, {
      enabled,
      // After a cut, what was missed is fetched.
      onStarted: () => refresh(queryClient),
      // Where streams do not come through, it is every now and then.
      onConnectionStateChange: ({ error }) => isOverdue(error) && refresh(queryClient),
      // What a person may no longer see does not stay on the screen.
      onError: ({ data }) => data?.code === 'UNAUTHORIZED' && window.location.reload(),
      onData: async (topic) => {
        await refreshTopic(queryClient, topic);
        if (topic === 'settings' && (await isFrameOld())) router.refresh();
      },
    }),
  );
  return null;
}
