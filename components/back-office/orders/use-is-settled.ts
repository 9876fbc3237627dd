import { useEffect, useState } from 'react';

const settleMs = 400;

/**
 * True once a card has stayed at its place for a moment: a card that has just moved under a finger is not the one the
 * tap was meant for.
 */
export function useIsSettled(at: number): boolean {
  const [settledAt, setSettledAt] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettledAt(at), settleMs);
    return () => clearTimeout(timer);
  }, [at]);
  return settledAt === at;
}
