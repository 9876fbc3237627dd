import { useTranslations } from 'next-intl';
import { Section } from '../../ui/section';
import { OrderLines } from '../orders/order-lines';
import { OrderNumber } from '../orders/order-number';
import { OrderState } from '../orders/order-state';
import { useFormat } from '../state/format';
import type { TableCode } from './types';

/** The orders on the bill, and their total. */
export function CodeOrders({ code: { orders, total } }: { code: TableCode }) {
  const t = useTranslations('qrCodes');
  const format = useFormat();
  return (
    <Section title={t('orderedTitle')}>
      {orders.length === 0 ? <p className="text-muted">{t('noOrders')}</p> : null}
      <ol className="divide-y divide-line">
        {orders.map((order) => (
          <li key={order.orderId} className="py-4 first:pt-0">
            <div className="mb-2 flex items-center justify-between gap-3 text-sm text-muted">
              <span className="flex items-center gap-3">
                <OrderNumber order={order} />
                {format.time(order.placedAt)}
                <OrderState status={order.status} />
              </span>
              <span className={order.status === 'cancelled' ? 'tabular-nums line-through' : 'tabular-nums'}>
                {format.money(order.total)}
              </span>
            </div>
            <OrderLines order={order} />
          </li>
        ))}
      </ol>
      {orders.length > 0 ? (
        <p className="flex justify-between gap-4 border-t border-edge pt-4 font-semibold">
          {t('total')}
          <span className="tabular-nums">{format.money(total)}</span>
        </p>
      ) : null}
    </Section>
  );
}
