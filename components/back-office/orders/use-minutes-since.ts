import { useEffect, useState } from 'react';
import { useMerchantClock } from '../state/use-merchant-clock';

const stepMs = 15_000;

/** Returns the whole minutes since an instant, updated as they pass. */
export function useMinutesSince(instant: string): number {
  const clock = useMerchantClock();
  const [now, setNow] = useState(() => clock().getTime());
  useEffect(() => {
    const timer = setInterval(() => setNow(clock().getTime()), stepMs);
    return () => clearInterval(timer);
  }, [clock]);
  return Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000));
}
