'use client';

import { useEffect, useState } from 'react';

/** Seconds until an instant of `Date.now()`'s clock, counted down to 0; null on the server, whose clock differs. */
export function useSecondsUntil(instant: number): number | null {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const count = () => setSeconds(Math.max(0, Math.ceil((instant - Date.now()) / 1000)));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [instant]);
  return seconds;
}
