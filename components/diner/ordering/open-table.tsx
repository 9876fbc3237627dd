import { useCallback, useEffect, useState } from 'react';
import type { OpenTable as Table } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { CallButton } from './call-button';
import type { CallSheet } from './call-sheet';
import { keepBill } from './cart/keep-bill';
import { ItemSheet } from './item-sheet';
import { OrderList } from './lazy-parts';
import { MenuArea } from './menu-area';
import { TableCart } from './table-cart';
import { useSpeech } from './table-context';
import { TableFooter } from './table-footer';
import { TableHeader } from './table-header';
import { useBillSheet } from './use-bill-sheet';
import { useDish } from './use-dish';
import { useMember } from './use-member';
import type { Ordering } from './use-ordering';
import type { LiveTable } from './use-table';

interface OpenTableProps {
  client: DinerClient;
  token: string;
  table: Table;
  live: LiveTable;
  ordering: Ordering;
  /** The text of what has just happened. */
  news: string;
  announce: (text: string) => void;
  hasSession: boolean;
}

/** The page of a table whose bill is open: its menu, cart, orders and bill. */
export function OpenTable({ client, token, table, live, ordering, news, announce, hasSession }: OpenTableProps) {
  const { words, language, priceNote } = useSpeech();
  const { isStale, isCurrent, billVersion, refresh } = live;
  const { cart, isOffline } = ordering;
  const member = useMember(hasSession ? table.merchantId : null, table.bill?.due ?? null);
  const dish = useDish(table.categories, ordering, announce);
  const onFailed = useCallback(() => announce(words.outOfDate), [announce, words]);
  const { Calls, openCalls, closeCalls } = useCallSheet(onFailed);
  const { Bill, openBill, closeBill } = useBillSheet(language, words, onFailed);
  // Without a network, the shown copy of the page may be older than the record.
  useEffect(() => {
    if (isCurrent) keepBill(token, { ...table, priceNote });
  }, [token, table, isCurrent, priceNote]);
  const warning = isOffline ? words.offline : isStale ? words.outOfDate : null;
  return (
    <>
      <a href="#content" className="skip-link">
        {words.skipToMenu}
      </a>
      <TableHeader table={table} language={language} isOffline={isOffline} member={member} />
      <MenuArea
        table={table}
        dish={dish}
        isOffline={isOffline}
        warning={warning}
        onFailed={onFailed}
        lines={cart.lines}
      >
        {table.offers.callsStaff ? <CallButton isWaiting={table.calls.length > 0} onOpen={openCalls} /> : null}
      </MenuArea>
      <OrdersWithoutScript orders={table.orders} />
      <TableFooter pricesIn={priceNote.text} />
      <TableCart
        client={client}
        table={table}
        ordering={ordering}
        member={member}
        isCurrent={isCurrent}
        news={news}
        announce={announce}
        warning={warning}
        onEdit={dish.edit}
        onBill={openBill}
      />
      {Calls ? (
        <Calls client={client} warning={warning} calls={table.calls} onChanged={refresh} onClose={closeCalls} />
      ) : null}
      {dish.open ? <ItemSheet {...dish.open} warning={warning} onSave={dish.save} onClose={dish.close} /> : null}
      {Bill ? (
        <Bill
          client={client}
          token={token}
          table={table}
          warning={warning}
          hasSession={hasSession}
          version={billVersion}
          onCalled={refresh}
          onClose={closeBill}
        />
      ) : null}
    </>
  );
}

/** Only the server renders this, so that the list is loaded only if it is shown. */
function OrdersWithoutScript({ orders }: Pick<Table, 'orders'>) {
  const { words } = useSpeech();
  if (orders.length === 0) return null;
  return (
    <noscript>
      <section aria-labelledby="ordered-without-script" className="mx-auto w-full max-w-6xl px-5 pb-16 sm:px-8">
        <h2 id="ordered-without-script" className="text-xl font-semibold">
          {words.orders}
        </h2>
        <OrderList orders={orders} />
      </section>
    </noscript>
  );
}

/** The sheet of calls, loaded when it is first opened. `onFailed` is called if its file can't be fetched. */
function useCallSheet(onFailed: () => void) {
  const [Calls, setCalls] = useState<typeof CallSheet | null>(null);
  const openCalls = () => import('./call-sheet').then(({ CallSheet }) => setCalls(() => CallSheet), onFailed);
  return { Calls, openCalls, closeCalls: () => setCalls(null) };
}
