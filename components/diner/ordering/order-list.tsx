import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { fillText, type TableWords } from '../words';
import type { SeenOrder } from './cart/keep-bill';
import { statusLooks } from './order-text';
import { Price, useSpeech } from './table-context';
import type { TableReceipt } from './table-receipt';

/** Names the phone that ordered, as far as it is known. */
function guestText({ isMine, guestName, guestNumber }: SeenOrder, words: TableWords): string | null {
  if (isMine) return words.you;
  return guestName ?? (guestNumber ? fillText(words.guest, { number: guestNumber }) : null);
}

interface OrderListProps {
  orders: readonly SeenOrder[];
  /** A hint about the states, which may have changed, if the list is a record. */
  recordHint?: string;
  /** Opens the table's bill; null without one. */
  onBill?: (() => void) | null;
}

/** All phones' orders at the table, newest first. Loaded once there are any. */
export default function OrderList({ orders, recordHint, onBill = null }: OrderListProps) {
  const { words, priceNote } = useSpeech();
  const [Receipt, setReceipt] = useState<typeof TableReceipt | null>(null);
  // Without a network, pressing again retries.
  const openReceipt = () =>
    import('./table-receipt').then(
      ({ TableReceipt }) => setReceipt(() => TableReceipt),
      () => {},
    );
  const total = orders.reduce((sum, order) => sum + (order.status === 'cancelled' ? 0 : order.total), 0);
  return (
    <>
      <p className="text-sm text-muted">{recordHint ?? words.ordersHint}</p>
      <ul className="mt-3 space-y-3">
        {orders.toReversed().map((order) => (
          <OrderCard key={order.orderId} order={order} isRecord={recordHint !== undefined} />
        ))}
      </ul>
      <p className="mt-4 flex justify-between gap-4 font-semibold">
        {priceNote.subtotal ?? words.ordersTotal} <Price amount={total} className="tabular-nums" />
      </p>
      <p className="text-sm text-muted">{priceNote.text}</p>
      <div className="mt-4 flex flex-wrap gap-3 noscript:hidden">
        {onBill ? (
          <button type="button" className="quiet-button grow" onClick={onBill}>
            {words.seeBill}
          </button>
        ) : null}
        <button type="button" className="quiet-button grow" onClick={openReceipt}>
          {words.ordersSoFar}
        </button>
      </div>
      {Receipt ? <Receipt orders={orders} total={total} onClose={() => setReceipt(null)} /> : null}
    </>
  );
}

function OrderCard({ order, isRecord }: { order: SeenOrder; isRecord: boolean }) {
  const { number, status, placedAt, lines, note } = order;
  // True if it waits for staff.
  const isHeld = number < 0 && status === 'placed';
  const { words } = useSpeech();
  return (
    <li className="rounded-xl border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="font-semibold">
          {number < 0 ? words.heldOrder : fillText(words.order, { number })} <PlacedAt instant={placedAt} />
          <span className="block text-sm font-medium text-accent wrap-anywhere empty:hidden">
            {guestText(order, words)}
          </span>
        </h3>
        {isHeld ? (
          <Badge tone="caution">{words.statusHeld}</Badge>
        ) : isRecord && status !== 'cancelled' ? null : (
          <Badge tone={statusLooks[status].tone}>{words[statusLooks[status].word]}</Badge>
        )}
      </div>
      <ul className={status === 'cancelled' ? 'mt-2 text-muted line-through' : 'mt-2'}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an order's lines never change
          <li key={at} className="flex gap-3 py-1 text-[0.9375rem]/6">
            <span className="min-w-6 shrink-0 tabular-nums">{line.quantity} ×</span>
            <span className="grow wrap-anywhere">
              {line.name}
              {line.options.length > 0 ? (
                <span className="block text-sm/5 text-muted">
                  {line.options.map(({ name }) => name).join(words.comma)}
                </span>
              ) : null}
              {line.note ? (
                <span className="block text-sm/5 text-muted">{fillText(words.noteLabel, { note: line.note })}</span>
              ) : null}
            </span>
            <Price amount={line.amount} className="shrink-0 tabular-nums" />
          </li>
        ))}
      </ul>
      {note ? <p className="mt-1 text-sm text-muted wrap-anywhere">{fillText(words.noteLabel, { note })}</p> : null}
    </li>
  );
}

function PlacedAt({ instant }: { instant: string }) {
  const { words, time } = useSpeech();
  return (
    <time dateTime={instant} className="text-sm font-normal text-muted" suppressHydrationWarning>
      {fillText(words.placedAt, { time: time(instant) })}
    </time>
  );
}
