import { useEffect, useState } from 'react';

const settleMs = 400;

/** Whether a card has stood at its place for a moment: what has just slid under a finger is not what it was meant for. */
export function useIsSettled(at: number): boolean {
  const [settledAt, setSettledAt] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettledAt(at), settleMs);
    return () => clearTimeout(timer);
  }, [at]);
  return settledAt === at;
}
