'use client';

import { useEffect, useRef, useState } from 'react';
import type { TopUpRequestView } from '@/server/domain/top-up-requests/view';
import { useLoyalty } from '../loyalty-context';

const pollMs = 2_500;
const slowPollMs = 10_000;
/** Stripe's word may be late: it is asked when the payer comes back, and again after so long. */
const askAgainMs = [4_000, 15_000, 45_000];
const changing = new Set<TopUpRequestView['state']>(['open', 'refunding']);

/** A top-up as it stands, for as long as it may change and somebody looks at it. */
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
    let asked = 0;
    let [sent, shown] = [0, 0];
    /** Shows an answer, unless that of a later request came before it. */
    const showAs = (nth: number) => (now: TopUpRequestView) => {
      if (isOver || nth < shown) return;
      shown = nth;
      setTopUp(now);
      setSilent(false);
    };
    const look = async () => {
      if (document.visibilityState === 'visible') {
        const waited = Date.now() - startedAt.current;
        const mustAsk =
          hasReturned && waited >= (asked === 0 ? 0 : (askAgainMs[asked - 1] ?? Number.POSITIVE_INFINITY));
        const { check, get } = client.topUps;
        if (mustAsk) {
          asked += 1;
          // Nobody waits for Stripe's answer, for its word may come to us first; whether there is a network the next look tells.
          check.mutate({ topUpRequestId }).then(showAs(++sent), () => {});
        } else await get.query({ topUpRequestId }).then(showAs(++sent), () => !isOver && setSilent(true));
        if (isOver) return;
      }
      timer = setTimeout(look, Date.now() - startedAt.current < 180_000 ? pollMs : slowPollMs);
    };
    // At once: what the server sent may be what the browser kept of it, from before the way back.
    timer = setTimeout(look, 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, topUpRequestId, isChanging, hasReturned]);

  return { topUp, setTopUp, isSilent: isSilent && isChanging };
}
