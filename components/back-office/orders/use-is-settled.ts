import { useEffect, useState } from 'react';

const settleMs = 400;

/**
 * True once a card has stayed in its place for a moment. A tap on a card that has just moved was meant for another one.
 */
export function useIsSettled(at: number): boolean {
  const [settledAt, setSettledAt] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettledAt(at), settleMs);
    return () => clearTimeout(timer);
  }, [at]);
  return settledAt === at;
}
