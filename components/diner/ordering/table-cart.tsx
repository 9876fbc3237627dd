import { useMemo, useState } from 'react';
import type { OpenTable } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { checkCart } from './cart/check-cart';
import { CartBar } from './cart-bar';
import { CartSheet } from './cart-sheet';
import { useSpeech } from './table-context';
import type { DishSheetState } from './use-dish';
import type { Member } from './use-member';
import { useOrderNews } from './use-order-news';
import type { Ordering } from './use-ordering';
import { useStockNews } from './use-stock-news';

interface TableCartProps {
  client: DinerClient;
  table: OpenTable;
  ordering: Ordering;
  /** Opens a line of the cart. */
  onEdit: DishSheetState['edit'];
  member: Member | null;
  isCurrent: boolean;
  news: string;
  announce: (text: string) => void;
  /** A warning about the connection. */
  warning: string | null;
  onBill: () => void;
}

/** The bar at the foot of the page, and the cart that it opens. */
export function TableCart({
  client,
  table,
  ordering,
  onEdit,
  member,
  isCurrent,
  news,
  announce,
  warning,
  onBill,
}: TableCartProps) {
  const { words } = useSpeech();
  const { cart, change, order, delivery, isOffline, outcome, setOutcome } = ordering;
  const { merchantId, orders, waitMinutes, bill } = table;
  const [isOpen, setOpen] = useState(false);
  const [returned, setReturned] = useState('');
  const checked = useMemo(() => checkCart(cart.lines, table.categories), [cart.lines, table.categories]);
  useOrderNews(orders, words, announce);
  useStockNews(checked, words, (stock) => {
    setReturned(stock.returned);
    if (stock.returned) setOutcome(null);
    // The bar shows what is sold out, but an open cart hides it.
    if (stock.returned || isOpen) announce(stock.returned || stock.gone);
  });
  const clearNews = () => {
    setOutcome(null);
    setReturned('');
  };
  const isHeld = orders.some(({ number, status }) => number < 0 && status === 'placed');
  const isAnswered = outcome?.text === words.orderHeldByStaff && orders.length > 0 && !isHeld;
  return (
    <>
      <CartBar
        checked={checked}
        orders={orders}
        bill={bill}
        onBill={onBill}
        delivery={cart.pending && delivery}
        // The open cart shows it itself.
        news={isOpen ? '' : news}
        warning={warning ?? (delivery === 'held' ? words.orderWaits : null)}
        onOpen={() => setOpen(true)}
      />
      {isOpen ? (
        <CartSheet
          client={client}
          merchantId={merchantId}
          member={member}
          cart={cart}
          checked={checked}
          orders={orders}
          returned={returned}
          news={news}
          warning={warning}
          waitMinutes={waitMinutes}
          delivery={delivery}
          isOffline={isOffline}
          isCurrent={isCurrent}
          outcome={isAnswered ? null : outcome}
          onChange={change}
          onEdit={({ line }) => onEdit(line)}
          onOrder={() => {
            clearNews();
            order(checked.ready.map(({ key }) => key));
          }}
          onWithdraw={(clientOrderId) => {
            change({ type: 'withdraw', clientOrderId });
            setOutcome({ text: words.orderWithdrawn, isGood: true });
          }}
          onBill={bill && onBill}
          onClose={() => {
            setOpen(false);
            clearNews();
          }}
        />
      ) : null}
    </>
  );
}
