'use client';

import { useEffect, useRef, useState } from 'react';
import type { TopUpRequestView } from '@/server/domain/top-ups';
import { useLoyalty } from '../loyalty-context';

const pollMs = 2_500;
const slowPollMs = 10_000;
/** Stripe's webhook may be late, so we ask Stripe when the payer returns and again after these times. */
const checkAfterMs = [4_000, 15_000, 45_000];
const changing = new Set<TopUpRequestView['state']>(['open', 'processing', 'refunding']);

/** The current state of a top-up, polled while it may change and the page is visible. */
export function useTopUp(first: TopUpRequestView, { hasReturned }: { hasReturned: boolean }) {
  const { client } = useLoyalty();
  const [topUp, setTopUp] = useState(first);
  const [isSilent, setSilent] = useState(false);
  const { topUpRequestId } = first;
  const isChanging = changing.has(topUp.state);
  const startedAt = useRef(0);

  useEffect(() => {
    if (!isChanging) return;
    startedAt.current ||= Date.now();
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    let checks = 0;
    let [sent, shown] = [0, 0];
    /** Shows a response, unless a later request's response has already arrived. */
    const showAs = (nth: number) => (now: TopUpRequestView) => {
      if (isOver || nth < shown) return;
      shown = nth;
      setTopUp(now);
      setSilent(false);
    };
    const look = async () => {
      if (document.visibilityState === 'visible') {
        const waited = Date.now() - startedAt.current;
        const isCheckDue =
          hasReturned && waited >= (checks === 0 ? 0 : (checkAfterMs[checks - 1] ?? Number.POSITIVE_INFINITY));
        const { check, get } = client.topUps;
        if (isCheckDue) {
          checks += 1;
          // Not awaited, because Stripe's webhook may come first. The next poll shows whether the network is up.
          check.mutate({ topUpRequestId }).then(showAs(++sent), () => {});
        } else await get.query({ topUpRequestId }).then(showAs(++sent), () => !isOver && setSilent(true));
        if (isOver) return;
      }
      timer = setTimeout(look, Date.now() - startedAt.current < 180_000 ? pollMs : slowPollMs);
    };
    // At once, because after the browser's Back the page may be an old copy from the cache.
    timer = setTimeout(look, 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, topUpRequestId, isChanging, hasReturned]);

  return { topUp, setTopUp, isSilent: isSilent && isChanging };
}
