import { useCallback, useEffect, useState } from 'react';

/** What became of an order, in words. */
export interface Told {
  text: string;
  isGood: boolean;
}

const shownMs = 6_000;

/** A sentence on what has just happened, gone again after a while. */
export function useSaid(): [said: string, say: (text: string) => void] {
  const [said, setSaid] = useState({ text: '' });
  useEffect(() => {
    if (!said.text) return;
    const timer = setTimeout(() => setSaid({ text: '' }), shownMs);
    return () => clearTimeout(timer);
  }, [said]);
  return [said.text, useCallback((text: string) => setSaid({ text }), [])];
}
