'use client';

import { useMutation } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { WaitingTable } from '@/server/domain/qr-ordering';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { iconButtonLook } from '../../ui/icon-button';
import { useKeptFocus } from '../../ui/use-kept-focus';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import { OrderLines } from './order-lines';
import { useOrderPlace } from './order-store';
import { useDeclining } from './use-declining';
import { WaitingTime } from './waiting-time';

interface WaitingTablesProps {
  /** The longest waiting first. */
  tables: WaitingTable[];
  lateOrderMinutes: number;
}

/** The first orders by tables' cards. Staff check whether guests sit there, and accept or decline. */
export function WaitingTables({ tables, lateOrderMinutes }: WaitingTablesProps) {
  const t = useTranslations('orders');
  const id = useId();
  const kept = useKeptFocus<HTMLElement>('li');
  const isAny = tables.length > 0;
  return (
    <section aria-labelledby={isAny ? id : undefined} tabIndex={-1} {...kept} className={isAny ? 'mb-6' : undefined}>
      {isAny ? (
        <>
          <h2 id={id} className="px-1 font-semibold tracking-tight">
            {t('firstOrders')}
          </h2>
          <p className="mb-3 px-1 text-sm text-muted">{t('firstOrdersText')}</p>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] items-start gap-3">
            {tables.map((table) => (
              <Waiting key={table.qrCodeId} table={table} lateOrderMinutes={lateOrderMinutes} />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function Waiting({ table, lateOrderMinutes }: { table: WaitingTable; lateOrderMinutes: number }) {
  const t = useTranslations('orders');
  const trpc = useTRPC();
  const format = useFormat();
  const place = useOrderPlace()(table);
  const { toast, settle } = useChange('orders', 'qrCodes');
  // An order that arrives while staff look at the others is not ticked by itself.
  const [ticked, setTicked] = useState(() => table.orders.map(({ orderId }) => orderId));
  const done = (text: 'acceptedTable' | 'declinedTable') => ({
    ...settle,
    onSuccess: () => toast.done(t(text, { place })),
  });
  const accept = useMutation(trpc.orders.acceptTable.mutationOptions(done('acceptedTable')));
  const decline = useMutation(trpc.orders.declineTable.mutationOptions(done('declinedTable')));
  const { qrCodeId, orders, isNew, placedAt } = table;
  const declining = useDeclining(orders);
  const isOne = orders.length === 1;
  const chosen = orders.filter(({ orderId }) => isOne || ticked.includes(orderId));
  const orderIds = chosen.map(({ orderId }) => orderId);
  const isBusy = accept.isPending || decline.isPending;
  return (
    <li className="rounded-2xl border border-caution/40 bg-surface p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold tracking-tight wrap-anywhere">{place}</p>
        {isNew ? <Badge tone="caution">{t('newTable')}</Badge> : null}
        <WaitingTime placedAt={placedAt} lateOrderMinutes={lateOrderMinutes} />
      </div>
      <div className="space-y-3">
        {orders.map((order, at) => (
          <div key={order.orderId}>
            {isOne ? null : (
              <label className="mb-1 flex min-h-11 items-center gap-2.5 text-sm font-medium">
                <input
                  type="checkbox"
                  className="size-5 shrink-0 accent-accent"
                  checked={ticked.includes(order.orderId)}
                  onChange={({ target }) =>
                    setTicked(
                      target.checked
                        ? [...ticked, order.orderId]
                        : ticked.filter((orderId) => orderId !== order.orderId),
                    )
                  }
                />
                {t('firstOrderAt', { number: at + 1 })}
              </label>
            )}
            <OrderLines order={order} />
          </div>
        ))}
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          size="small"
          className="grow"
          busy={isBusy || orderIds.length === 0}
          onClick={() => accept.mutate({ qrCodeId, orderIds })}
        >
          <Check className="size-4" aria-hidden="true" />
          {t('guestsAreHere')}
          <span className="sr-only"> {place}</span>
        </Button>
        <button
          type="button"
          className={iconButtonLook}
          aria-label={t('declineOf', { place })}
          title={t('decline')}
          aria-disabled={isBusy || orderIds.length === 0 || undefined}
          onClick={() => !isBusy && declining.ask(chosen)}
        >
          <X className="size-5" aria-hidden="true" />
        </button>
        <span className="ml-auto pl-1 text-sm text-muted tabular-nums">
          {format.money(chosen.reduce((sum, { total }) => sum + total, 0))}
        </span>
      </div>
      <ConfirmDialog
        open={declining.isOpen}
        isDangerous
        title={t('declineTitle', { place, count: declining.orders.length })}
        confirmLabel={t('decline')}
        onCancel={declining.close}
        onConfirm={() => {
          declining.close();
          decline.mutate({ qrCodeId, orderIds: declining.orders.map(({ orderId }) => orderId) });
        }}
      >
        <ul className="mb-3 space-y-1.5 text-ink">
          {declining.orders.map(({ orderId, guestName, lines }) => (
            <li key={orderId} className="line-clamp-3 wrap-anywhere">
              {guestName ? <span className="font-medium">{guestName}: </span> : null}
              {lines.map(({ quantity, name }) => `${quantity}× ${name}`).join(', ')}
            </li>
          ))}
        </ul>
        {t('declineText')}
      </ConfirmDialog>
    </li>
  );
}
