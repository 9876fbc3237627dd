'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { isOverdue } from '@/components/calls/begin-in-time';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { refreshQueries, refreshTopic } from './refresh-topic';

/** Browsers open at most six connections to a host, so a hidden page closes its stream. */
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

/** The settings that each page's frame depends on. */
const frameFields = ['name', 'currency', 'country', 'timeZone', 'dayStartsAt', 'locale', 'clockAheadSeconds'] as const;

/** Refetches the data on the screen when it changes. */
export function LiveUpdates() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const enabled = useIsPageVisible();
  const { merchant } = useOffice();

  /**
   * True if the page's frame shows outdated settings. The frame is refreshed only if needed, because during a refresh a
   * change of the URL (a filter, an order) would load the whole page.
   */
  async function isFrameStale(): Promise<boolean> {
    const settings = await queryClient.fetchQuery(trpc.settings.get.queryOptions()).catch(() => null);
    return settings !== null && frameFields.some((name) => settings[name] !== merchant[name]);
  }

  useSubscription(
    trpc.changes.subscriptionOptions(undefined, {
      enabled,
      // After a reconnection, fetch what was missed.
      onStarted: () => refreshQueries(queryClient),
      // If a proxy blocks streams, refetches at each attempt.
      onConnectionStateChange: ({ error }) => isOverdue(error) && refreshQueries(queryClient),
      // Reloads, so that data which the person may no longer see leaves the screen.
      onError: ({ data }) => {
        if (data?.code === 'UNAUTHORIZED' || data?.reason === 'second_factor_required') window.location.reload();
      },
      onData: async (topic) => {
        await refreshTopic(queryClient, topic);
        if (topic === 'settings' && (await isFrameStale())) router.refresh();
      },
    }),
  );
  return null;
}
