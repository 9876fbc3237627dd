import type { OpenTable, Order } from '@/server/domain/qr-ordering';
import { fillText, formFor } from '../words';
import type { CheckedCart } from './cart/check-cart';
import { asideText } from './cart-lines';
import { orderText } from './order-text';
import { Price, useSpeech } from './table-context';
import type { DeliveryState } from './use-cart';

interface CartBarProps {
  checked: CheckedCart;
  /** The state of the pending order; null without one. */
  delivery: DeliveryState | null;
  orders: readonly Order[];
  /** The text of what has just happened. */
  news: string;
  /** A lasting warning, for example while offline. */
  warning: string | null;
  onOpen: () => void;
  /** Null if the till has sent none. */
  bill: OpenTable['bill'];
  onBill: () => void;
}

const pendingTexts = {
  waiting: 'notSentYet',
  sending: 'sendingOrder',
  silent: 'sendingOrder',
  held: 'viewCart',
} as const;

/** Shows the cart's contents or the last order's state. Always visible. */
export function CartBar({ checked, delivery, orders, news, warning, onOpen, bill, onBill }: CartBarProps) {
  const { words, language } = useSpeech();
  const latest = orders.at(-1);
  const latestText = latest && orderText(latest, words);
  const aside = asideText(checked, words);
  const isFilled = checked.lines.length > 0;
  return (
    <div className="cart-bar">
      <p role="status" className={news ? 'news' : 'sr-only'}>
        {news}
      </p>
      <p role="status" className={warning ? 'warning' : 'sr-only'}>
        {warning}
      </p>
      <p role="status" className={aside ? 'warning' : 'sr-only'}>
        {aside}
      </p>
      {isFilled || delivery || latest || bill ? (
        <div className="border-t border-line bg-page/95 px-5 py-3 backdrop-blur-md">
          {isFilled && latest ? <p className="pb-2 text-center text-sm text-muted">{latestText}</p> : null}
          <div className="mx-auto flex max-w-xl gap-3">
            {bill === null ? null : (
              <button
                type="button"
                onClick={onBill}
                className="quiet-button grow flex-col px-4 py-1 leading-tight noscript:hidden"
              >
                <span className="text-sm text-muted">{words.bill}</span>
                {bill.state === 'open' ? <Price amount={bill.due} className="tabular-nums" /> : words.billPaid}
              </button>
            )}
            {isFilled ? (
              <button type="button" onClick={onOpen} className="primary-button grow-4">
                <span className="flex flex-wrap gap-x-2 text-left">
                  {words.viewCart}
                  <span className="opacity-80">
                    {fillText(formFor(words.itemCount, checked.count, language), { count: checked.count })}
                  </span>
                </span>
                <Price amount={checked.total} className="tabular-nums" />
              </button>
            ) : delivery || latest ? (
              <button type="button" onClick={onOpen} className="quiet-button grow-4 noscript:hidden">
                {delivery ? words[pendingTexts[delivery]] : latestText}
              </button>
            ) : null}
          </div>
        </div>
      ) : null}
    </div>
  );
}
