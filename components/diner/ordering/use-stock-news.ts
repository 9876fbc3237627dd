import { useEffect, useRef } from 'react';
import { fillText, type TableWords } from '../words';
import type { CheckedCart, CheckedLine } from './cart/check-cart';
import { asideText, namesOf } from './cart-lines';

interface StockNews {
  /** Which dishes are available again; empty if some have only sold out. */
  returned: string;
  /** Which dishes are sold out now. */
  gone: string;
}

/** Calls `onNews` when dishes of the cart sell out or return while the page is open. */
export function useStockNews(checked: CheckedCart, words: TableWords, onNews: (news: StockNews) => void): void {
  const known = useRef<readonly CheckedLine[]>([]);
  const report = useRef(onNews);
  report.current = onNews;
  useEffect(() => {
    const { ready, aside } = checked;
    const were = new Set(known.current.map(({ key }) => key));
    known.current = aside;
    const back = ready.filter(({ key }) => were.has(key));
    if (back.length === 0 && aside.every(({ key }) => were.has(key))) return;
    report.current({
      returned: back.length > 0 ? fillText(words.backInCart, { names: namesOf(back, words) }) : '',
      gone: asideText(checked, words),
    });
  }, [checked, words]);
}
