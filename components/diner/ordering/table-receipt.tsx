import type { Order } from '@/server/domain/qr-ordering';
import { Receipt } from '../receipt/receipt';
import { ReceiptActions } from '../receipt/receipt-actions';
import type { ReceiptContent } from '../receipt/receipt-content';
import { timeFormat } from '../time-format';
import { fillText } from '../words';
import { Sheet } from './sheet';
import { useSpeech } from './table-context';

interface TableReceiptProps {
  orders: readonly Order[];
  total: number;
  onClose: () => void;
}

/** The table's orders as a receipt to print, share or copy. Loaded when it is first opened. */
export function TableReceipt({ orders, total, onClose }: TableReceiptProps) {
  const { words, language, priceNote, money, time, place } = useSpeech();
  const { merchant, store } = place;
  const counted = orders.filter(({ status }) => status !== 'cancelled');
  const table = counted[0]?.table;
  const placedAt = counted[0]?.placedAt;
  const day = timeFormat(merchant, language, { dateStyle: 'medium' });
  const content: ReceiptContent = {
    business: merchant.name,
    store,
    title: table ? `${words.table} ${table}` : words.orders,
    time: placedAt ? day.format(new Date(placedAt)) : '',
    lines: [
      ...counted.flatMap(({ number, placedAt: at, lines }) => [
        { text: `${fillText(words.order, { number })} · ${time(at)}`, isStrong: true },
        ...lines.map(({ quantity, name, options, amount }) => ({
          text: `${quantity} × ${[name, ...options.map((option) => option.name)].join(words.comma)}`,
          amount: money(amount),
        })),
      ]),
      { text: priceNote.subtotal ?? words.ordersTotal, amount: money(total), isStrong: true },
    ],
    notes: [priceNote.text, words.receiptNote].filter((note) => note !== null),
  };
  const footer = (
    <div className="sheet-footer">
      <ReceiptActions content={content} words={words} className="quiet-button grow" />
    </div>
  );
  return (
    <Sheet title={words.ordersSoFar} warning={null} onClose={onClose} footer={footer}>
      <div className="px-5 pt-2 pb-6 sm:px-6">
        <Receipt content={content} logoId={merchant.logoId} />
      </div>
    </Sheet>
  );
}
