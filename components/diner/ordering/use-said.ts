import { useCallback, useEffect, useState } from 'react';

/** The outcome of an order, as a text. */
export interface OutcomeText {
  text: string;
  isGood: boolean;
}

const shownMs = 6_000;

/** Keeps a text about what has just happened, and clears it after a while. */
export function useNews(): [news: string, announce: (text: string) => void] {
  const [news, setNews] = useState({ text: '' });
  useEffect(() => {
    if (!news.text) return;
    const timer = setTimeout(() => setNews({ text: '' }), shownMs);
    return () => clearTimeout(timer);
  }, [news]);
  return [news.text, useCallback((text: string) => setNews({ text }), [])];
}
