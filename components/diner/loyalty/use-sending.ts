'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState, useTransition } from 'react';
import { useLoyalty } from './loyalty-context';
import { type Refusal, readRefusal } from './refusal';

/** Sends one request at a time, and keeps its error until the next attempt. */
export function useSending() {
  const loyalty = useLoyalty();
  const router = useRouter();
  const [isBusy, startTransition] = useTransition();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  /** Reloads the page's data. The request counts as in progress until the data has arrived. */
  const refresh = () => startTransition(() => router.refresh());
  // Set immediately, because a second tap can come before React has rendered the first.
  const isUnderWay = useRef(false);
  const send = (work: () => Promise<unknown>) => {
    if (isBusy || isUnderWay.current) return;
    isUnderWay.current = true;
    setRefusal(null);
    startTransition(async () => {
      try {
        await work();
      } catch (error) {
        const read = readRefusal(error, loyalty);
        startTransition(() => setRefusal(read));
        if (read.isSignedOut) refresh();
      } finally {
        isUnderWay.current = false;
      }
    });
  };
  return { isBusy, refusal, send, refresh };
}
