import { useTranslations } from 'next-intl';
import type { Order } from '@/server/domain/qr-ordering/schemas';

/** As the diners see it. */
export function OrderNumber({ order: { number } }: { order: Pick<Order, 'number'> }) {
  return (
    <span className="font-normal whitespace-nowrap text-muted tabular-nums">
      {useTranslations('orders')('number', { number: String(number) })}
    </span>
  );
}
