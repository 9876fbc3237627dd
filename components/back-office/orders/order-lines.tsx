import { useTranslations } from 'next-intl';
import type { Order } from '@/server/domain/qr-ordering';

/** The items of an order, for the kitchen and the waiters. */
export function OrderLines({ order }: { order: Pick<Order, 'lines' | 'note' | 'guestName'> }) {
  const t = useTranslations('orders');
  const { lines, note, guestName } = order;
  return (
    <>
      {guestName === null ? null : (
        <p className="mb-2 text-sm text-muted wrap-anywhere">{t('orderedBy', { name: guestName })}</p>
      )}
      <ul className="space-y-1.5">
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an order's lines never change
          <li key={at} className="flex gap-2.5">
            <span className="min-w-7 shrink-0 font-semibold tabular-nums">{line.quantity}×</span>
            <span className="min-w-0 wrap-anywhere">
              {line.name}
              {line.options.length > 0 ? (
                <span className="block text-sm text-muted">{line.options.map(({ name }) => name).join(', ')}</span>
              ) : null}
              {line.note ? <span className="block text-sm font-medium text-caution">{line.note}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {note ? (
        <p className="mt-3 rounded-lg bg-caution-tint px-3 py-2 text-sm text-caution wrap-anywhere">{note}</p>
      ) : null}
    </>
  );
}
