'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState, useTransition } from 'react';
import { useLoyalty } from './loyalty-context';
import { type Refusal, readRefusal } from './refusal';

/** Sends something once at a time, and keeps why it was refused until the next try. */
export function useSending() {
  const loyalty = useLoyalty();
  const router = useRouter();
  const [isBusy, startTransition] = useTransition();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  /** The page as it is now; what was sent counts as under way until it is there. */
  const refresh = () => startTransition(() => router.refresh());
  // A second tap comes before the screen knows of the first.
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
