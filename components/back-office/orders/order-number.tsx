import { useTranslations } from 'next-intl';
import type { Order } from '@/server/domain/qr-ordering';

type Numbered = Pick<Order, 'number'>;

/** An order's number, as the diners see it. */
export function useOrderNumber() {
  const t = useTranslations('orders');
  return ({ number }: Numbered): string => t('number', { number: String(number) });
}

export function OrderNumber({ order }: { order: Numbered }) {
  return <span className="font-normal whitespace-nowrap text-muted tabular-nums">{useOrderNumber()(order)}</span>;
}
