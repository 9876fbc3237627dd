'use client';

import { Check, ChefHat, type LucideIcon, Utensils, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { StoreOrder } from '@/server/domain/qr-ordering';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { iconButtonLook } from '../../ui/icon-button';
import { Link } from '../../ui/link';
import { usePlace } from '../office/place';
import { useFormat } from '../state/format';
import type { StationOrder } from './at-station';
import { OrderLines } from './order-lines';
import { OrderNumber, useOrderNumber } from './order-number';
import { OrderState } from './order-state';
import { useOrderPlace, useStoreName } from './order-store';
import { PrintTicket } from './print-ticket';
import { useIsSettled } from './use-is-settled';
import { useMoveOrder } from './use-move-order';
import { WaitingTime } from './waiting-time';

const steps = {
  placed: { to: 'accepted', label: 'accept', icon: Check },
  accepted: { to: 'ready', label: 'markReady', icon: ChefHat },
  ready: { to: 'served', label: 'serve', icon: Utensils },
} as const satisfies Record<string, { to: string; label: string; icon: LucideIcon }>;

interface OrderCardProps {
  order: StationOrder;
  state: keyof typeof steps;
  /** Its index in the column. */
  at: number;
  lateOrderMinutes: number;
}

/** An open order, with its next step. */
export function OrderCard({ order, state, at, lateOrderMinutes }: OrderCardProps) {
  const t = useTranslations('orders');
  const format = useFormat();
  const place = useOrderPlace()(order);
  const number = useOrderNumber()(order);
  const [isCancelling, setCancelling] = useState(false);
  const { move, isMoving } = useMoveOrder(order);
  const isSettled = useIsSettled(at);
  const { to, label, icon: Icon } = steps[state];
  return (
    <article aria-label={`${place} ${number}`} className="rounded-2xl border border-line bg-surface p-4">
      <CardHead order={order} lateOrderMinutes={lateOrderMinutes} />
      <OrderLines order={order} />
      {order.otherItems > 0 ? (
        <p className="mt-2 text-sm text-muted">{t('otherItems', { count: order.otherItems })}</p>
      ) : null}
      <p className="mt-2 text-right text-sm text-muted tabular-nums">{format.money(order.total)}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button size="small" className="grow" busy={isMoving || !isSettled} onClick={() => move(to)}>
          <Icon className="size-4" aria-hidden="true" />
          {t(label)}
        </Button>
        <button
          type="button"
          className={iconButtonLook}
          aria-label={t('cancelOf', { place, number })}
          title={t('cancelOrder')}
          onClick={() => setCancelling(true)}
        >
          <X className="size-5" aria-hidden="true" />
        </button>
        <PrintTicket order={order} />
      </div>
      <ConfirmDialog
        open={isCancelling}
        isDangerous
        title={t('cancelTitle', { place, number })}
        confirmLabel={t('cancelOrder')}
        cancelLabel={t('keep')}
        onCancel={() => setCancelling(false)}
        onConfirm={() => {
          setCancelling(false);
          move('cancelled');
        }}
      >
        {t('cancelText')}
      </ConfirmDialog>
    </article>
  );
}

function CardHead({ order, lateOrderMinutes }: Pick<OrderCardProps, 'order' | 'lateOrderMinutes'>) {
  const place = usePlace();
  const store = useStoreName()(order);
  return (
    <div className="mb-3">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-lg/tight font-semibold tracking-tight wrap-anywhere">
          <Link href={`/qr-codes/${order.qrCodeId}`} className="rounded hover:underline">
            {place(order)}
          </Link>{' '}
          <OrderNumber order={order} />
        </h3>
        <WaitingTime placedAt={order.placedAt} lateOrderMinutes={lateOrderMinutes} />
      </div>
      {store === null ? null : <p className="mt-0.5 text-sm text-muted wrap-anywhere">{store}</p>}
      {order.table === null ? null : (
        <p className="mt-0.5 font-mono text-xs text-muted wrap-anywhere">{order.billId}</p>
      )}
    </div>
  );
}

/** A served or cancelled order, in brief. */
export function DoneOrder({ order }: { order: StoreOrder }) {
  const format = useFormat();
  const label = useOrderPlace()(order);
  const place = usePlace()(order);
  const store = useStoreName()(order);
  const number = useOrderNumber()(order);
  return (
    <article aria-label={`${label} ${number}`} className="rounded-2xl border border-line px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-semibold wrap-anywhere">
          <Link href={`/qr-codes/${order.qrCodeId}`} className="rounded hover:underline">
            {place}
          </Link>{' '}
          <OrderNumber order={order} />
        </h3>
        <OrderState status={order.status} />
      </div>
      {store === null ? null : <p className="mt-0.5 text-muted wrap-anywhere">{store}</p>}
      <p className="mt-1 text-muted wrap-anywhere">
        {order.lines.map(({ quantity, name }) => `${quantity}× ${name}`).join(', ')}
      </p>
      <p className="mt-1 flex justify-between gap-3 text-muted tabular-nums">
        <time dateTime={order.updatedAt}>{format.time(order.updatedAt)}</time>
        {format.money(order.total)}
      </p>
    </article>
  );
}
