'use client';

import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react';
import type { StoreOrder, WaitingCall, WaitingTable } from '@/server/domain/qr-ordering';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { useKeptFocus } from '../../ui/use-kept-focus';
import { useFormat } from '../state/format';
import type { StationOrder } from './at-station';
import { DoneOrder, OrderCard } from './order-card';
import { StoreNames, useOrderPlace } from './order-store';
import { TableCalls, useCallText } from './table-calls';
import { WaitingTables } from './waiting-tables';

type BoardData = inferRouterOutputs<StaffRouter>['orders']['board'];

type ColumnData = BoardData['placed'];

type OpenColumn = Omit<ColumnData, 'orders'> & { orders: StationOrder[] };

interface BoardProps extends Pick<BoardData, 'lateOrderMinutes' | 'calls' | 'waiting'> {
  placed: OpenColumn;
  accepted: OpenColumn;
  ready: OpenColumn;
  done: ColumnData;
  /** Null if all orders are shown. */
  onMoreDone: (() => void) | null;
  /** Called when a new order or a call from a table has arrived. */
  onArrival: () => void;
}

const states = ['placed', 'accepted', 'ready', 'done'] as const;
type State = (typeof states)[number];

const nothing = {
  placed: 'nothingPlaced',
  accepted: 'nothingAccepted',
  ready: 'nothingReady',
  done: 'nothingDone',
} as const;

/** Four columns on a desktop. On a phone, one selected column, initially the first with orders. */
export function Board({ lateOrderMinutes, calls, waiting, onMoreDone, onArrival, ...columns }: BoardProps) {
  const t = useTranslations('orders');
  const hasStores = useContext(StoreNames) !== null;
  const [shown, setShown] = useState<State>(() => states.find((one) => columns[one].orders.length > 0) ?? 'placed');
  const newest = useNewest(columns.placed.orders, calls, waiting, onArrival);
  return (
    <>
      <p role="status" className="sr-only">
        {newest}
      </p>
      <WaitingTables tables={waiting} lateOrderMinutes={lateOrderMinutes} />
      <TableCalls calls={calls} lateOrderMinutes={lateOrderMinutes} />
      <ColumnChoice columns={columns} shown={shown} onChoose={setShown} />
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {states.map((state) => (
          <Column
            key={state}
            title={t(state)}
            column={columns[state]}
            isShown={shown === state}
            empty={t(nothing[state])}
          >
            {columns[state].isCut && state !== 'done' ? (
              <p className="col-span-full px-1 text-sm text-caution">{t(hasStores ? 'cutAll' : 'cut')}</p>
            ) : null}
            {state === 'done'
              ? columns.done.orders.map((order) => <DoneOrder key={order.orderId} order={order} />)
              : columns[state].orders.map((order, at) => (
                  <OrderCard
                    key={order.orderId}
                    order={order}
                    state={state}
                    at={at}
                    lateOrderMinutes={lateOrderMinutes}
                  />
                ))}
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

/** Returns the text of the last order or call that arrived since the board was opened, and plays a sound for each. */
function useNewest(placed: StoreOrder[], calls: WaitingCall[], waiting: WaitingTable[], onArrival: () => void): string {
  const t = useTranslations('orders');
  const place = useOrderPlace();
  const callText = useCallText();
  const arrivals = [
    ...placed.map((order) => ({ id: order.orderId, text: t('newOrder', { place: place(order) }) })),
    ...waiting.map((table) => ({ id: `first ${table.qrCodeId}`, text: t('firstOrder', { place: place(table) }) })),
    ...calls.map((call) => ({ id: call.callId, text: callText(call) })),
  ];
  const known = useRef<Set<string> | null>(null);
  const [newest, setNewest] = useState('');
  useEffect(() => {
    const before = known.current;
    const added = before ? arrivals.filter(({ id }) => !before.has(id)) : [];
    known.current = new Set([...(before ?? []), ...arrivals.map(({ id }) => id)]);
    const last = added.at(-1);
    if (!last) return;
    setNewest(last.text);
    onArrival();
  });
  return newest;
}

interface ColumnChoiceProps {
  columns: Record<State, ColumnData>;
  shown: State;
  onChoose: (state: State) => void;
}

function ColumnChoice({ columns, shown, onChoose }: ColumnChoiceProps) {
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
            'flex min-h-11 flex-col items-center justify-center rounded-lg px-0.5 py-1 text-sm/5 font-medium',
            shown === state ? 'bg-surface text-ink shadow-sm' : 'text-muted',
          )}
        >
          {t(state)} <Count column={columns[state]} />
        </button>
      ))}
    </fieldset>
  );
}

/** The number of orders in a column, with a plus if there are more. */
function Count({ column: { orders, isCut } }: { column: ColumnData }) {
  const { number } = useFormat();
  return <span className="tabular-nums">{`${number(orders.length)}${isCut ? '+' : ''}`}</span>;
}

interface ColumnProps {
  title: string;
  column: ColumnData;
  isShown: boolean;
  empty: string;
  children: ReactNode;
}

function Column({ title, column, isShown, empty, children }: ColumnProps) {
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
        <span className="rounded-full bg-tint px-2 text-sm font-medium">
          <Count column={column} />
        </span>
      </h2>
      {column.orders.length === 0 ? (
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
