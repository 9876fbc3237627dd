import { useEffect, useState } from 'react';

const stepMs = 15_000;

/** Whole minutes since an instant, as they pass. */
export function useMinutesSince(instant: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000));
}
