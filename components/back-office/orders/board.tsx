'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Order } from '@/server/domain/qr-ordering';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { useKeptFocus } from '../../ui/use-kept-focus';
import { usePlace } from '../shell/place';
import { DoneOrder, OrderCard } from './order-card';

type BoardData = inferRouterOutputs<StaffRouter>['orders']['board'];

interface BoardProps extends BoardData {
  done: Order[];
  /** Null where all orders are shown. */
  onMoreDone: (() => void) | null;
  onNewOrder: () => void;
}

const states = ['placed', 'accepted', 'ready', 'done'] as const;
type State = (typeof states)[number];

const nothing = {
  placed: 'nothingPlaced',
  accepted: 'nothingAccepted',
  ready: 'nothingReady',
  done: 'nothingDone',
} as const;

/** Four columns on a desktop; the selected one on a phone, at first the first with orders. */
export function Board({ placed, accepted, ready, done, lateOrderMinutes, onMoreDone, onNewOrder }: BoardProps) {
  const t = useTranslations('orders');
  const orders = { placed: placed.orders, accepted: accepted.orders, ready: ready.orders, done };
  const isCut = { placed: placed.isCut, accepted: accepted.isCut, ready: ready.isCut, done: false };
  const [shown, setShown] = useState<State>(() => states.find((state) => orders[state].length > 0) ?? 'placed');
  const newest = useNewOrders(placed.orders, onNewOrder);
  return (
    <>
      <p role="status" className="sr-only">
        {newest}
      </p>
      <ColumnChoice counts={orders} shown={shown} onChoose={setShown} />
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {states.map((state) => (
          <Column
            key={state}
            title={t(state)}
            count={orders[state].length}
            isShown={shown === state}
            empty={t(nothing[state])}
          >
            {isCut[state] ? <p className="px-1 text-sm text-caution">{t('cut')}</p> : null}
            {orders[state].map((order, at) =>
              state === 'done' ? (
                <DoneOrder key={order.orderId} order={order} />
              ) : (
                <OrderCard
                  key={order.orderId}
                  order={order}
                  state={state}
                  at={at}
                  lateOrderMinutes={lateOrderMinutes}
                />
              ),
            )}
            {state === 'done' && onMoreDone ? (
              <Button variant="quiet" size="small" onClick={onMoreDone}>
                {t('showMore')}
              </Button>
            ) : null}
          </Column>
        ))}
      </div>
    </>
  );
}

/** Announces orders that arrived since the board was opened, and plays a sound. */
function useNewOrders(placed: Order[], onNewOrder: () => void): string {
  const t = useTranslations('orders');
  const place = usePlace();
  const known = useRef<Set<string> | null>(null);
  const [newest, setNewest] = useState('');
  const say = useRef(onNewOrder);
  say.current = onNewOrder;
  useEffect(() => {
    const before = known.current;
    known.current = new Set([...(before ?? []), ...placed.map(({ orderId }) => orderId)]);
    const added = before ? placed.filter(({ orderId }) => !before.has(orderId)) : [];
    const last = added.at(-1);
    if (!last) return;
    setNewest(t('newOrder', { place: place(last) }));
    say.current();
  }, [placed, t, place]);
  return newest;
}

interface ColumnChoiceProps {
  counts: Record<State, unknown[]>;
  shown: State;
  onChoose: (state: State) => void;
}

function ColumnChoice({ counts, shown, onChoose }: ColumnChoiceProps) {
  const t = useTranslations('orders');
  return (
    <fieldset className="mb-4 grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-tint p-1 sm:hidden">
      <legend className="sr-only">{t('columns')}</legend>
      {states.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={shown === state}
          onClick={() => onChoose(state)}
          className={classNames(
            'min-h-11 rounded-lg px-1 text-sm font-medium',
            shown === state ? 'bg-surface text-ink shadow-sm' : 'text-muted',
          )}
        >
          {t(state)}
          {state === 'done' ? null : <span className="ml-1 tabular-nums">{counts[state].length}</span>}
        </button>
      ))}
    </fieldset>
  );
}

interface ColumnProps {
  title: string;
  count: number;
  isShown: boolean;
  empty: string;
  children: ReactNode;
}

function Column({ title, count, isShown, empty, children }: ColumnProps) {
  const id = useId();
  const kept = useKeptFocus<HTMLElement>('article');
  return (
    <section
      aria-labelledby={id}
      tabIndex={-1}
      {...kept}
      className={classNames('flex flex-col gap-3', !isShown && 'max-sm:hidden')}
    >
      <h2 id={id} className="flex items-center gap-2 px-1 font-semibold tracking-tight max-sm:sr-only">
        {title}
        <span className="rounded-full bg-tint px-2 text-sm font-medium tabular-nums">{count}</span>
      </h2>
      {count === 0 ? (
        <p className="rounded-2xl border border-dashed border-edge/60 px-4 py-8 text-center text-sm text-muted">
          {empty}
        </p>
      ) : null}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] items-start gap-3 empty:hidden">
        {children}
      </div>
    </section>
  );
}
