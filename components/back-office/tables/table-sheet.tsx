import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Visit } from '@/server/domain/floor/rules';
import { Badge, type Tone } from '../../ui/badge';
import { Button, ButtonLink } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Link } from '../../ui/link';
import { useOffice } from '../office/office';
import { usePlace } from '../office/place';
import { useTRPC } from '../office/trpc';
import { OrderLines } from '../orders/order-lines';
import { OrderNumber } from '../orders/order-number';
import { OrderState } from '../orders/order-state';
import { NewCodeDialog } from '../qr-codes/new-code-dialog';
import { useFormat } from '../state/format';
import { MoveGuests } from './move-guests';
import { ReplaceCard } from './table-dialogs';
import { type FloorTable, printLink } from './types';

const tones = {
  free: 'neutral',
  seated: 'neutral',
  ordered: 'good',
  billAsked: 'caution',
  paid: 'good',
} as const satisfies Record<FloorTable['state'], Tone>;

interface TableSheetProps {
  storeId: string;
  table: FloorTable;
  /** All tables of the store, to which guests can move. */
  tables: FloorTable[];
  onClose: () => void;
}

/** A table: what is open there, its orders, and its card. */
export function TableSheet({ storeId, table, tables, onClose }: TableSheetProps) {
  const t = useTranslations('tables');
  const [isOpening, setOpening] = useState(false);
  const place = usePlace()({ table: table.name, billId: '' });
  const { state, seats, calls, visits } = table;
  if (isOpening) return <NewCodeDialog storeId={storeId} table={table.name} onClose={() => setOpening(false)} />;
  return (
    <Dialog open onClose={onClose} title={place}>
      <p className="-mt-2 mb-5 flex flex-wrap items-center gap-2 text-sm text-muted">
        <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
        {calls.includes('staff') ? <Badge tone="danger">{t('callsStaff')}</Badge> : null}
        {seats === null ? null : t('seatsCount', { count: seats })}
      </p>
      {visits.length === 0 ? (
        <Button size="small" onClick={() => setOpening(true)}>
          {t('openBill')}
        </Button>
      ) : (
        <div className="flex flex-col gap-6">
          {visits.map((visit) => (
            <OpenVisit key={visit.billId} visit={visit} table={table} tables={tables} />
          ))}
        </div>
      )}
      <Card storeId={storeId} table={table} />
    </Dialog>
  );
}

interface OpenVisitProps {
  visit: Visit;
  table: FloorTable;
  tables: FloorTable[];
}

function OpenVisit({ visit, table, tables }: OpenVisitProps) {
  const t = useTranslations('tables');
  const { money, time, number } = useFormat();
  const [isMoving, setMoving] = useState(false);
  const { qrCodeId, billUid, billId, since, guests, total, due } = visit;
  const facts = [
    { term: t('since'), value: time(since) },
    ...(guests === null ? [] : [{ term: t('guests'), value: number(guests) }]),
    { term: t(billUid ? 'total' : 'ordered'), value: money(total) },
    ...(due === total ? [] : [{ term: t('due'), value: money(due) }]),
  ];
  return (
    <section aria-label={billId} className="rounded-xl border border-line p-4">
      <h3 className="font-semibold wrap-anywhere">
        <Link
          href={billUid ? `/bills/${billUid}` : `/qr-codes/${qrCodeId}`}
          className="rounded underline underline-offset-4"
        >
          {billId}
        </Link>
        {billUid ? null : <span className="ml-2 text-sm font-normal text-muted">{t('codeOnly')}</span>}
      </h3>
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {facts.map(({ term, value }) => (
          <div key={term} className="flex gap-1.5">
            <dt className="text-muted">{term}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {qrCodeId ? <Orders qrCodeId={qrCodeId} /> : null}
      <div className="mt-4 flex flex-wrap gap-2">
        {billUid ? (
          <ButtonLink size="small" href={`/bills/${billUid}`}>
            {t('showBill')}
          </ButtonLink>
        ) : null}
        {qrCodeId ? (
          <>
            <ButtonLink size="small" variant="secondary" href={`/qr-codes/${qrCodeId}`}>
              {t('showCode')}
            </ButtonLink>
            <Button size="small" variant="secondary" aria-expanded={isMoving} onClick={() => setMoving(!isMoving)}>
              {t('move')}
            </Button>
          </>
        ) : null}
      </div>
      {isMoving && qrCodeId ? (
        <MoveGuests qrCodeId={qrCodeId} from={table} tables={tables} onDone={() => setMoving(false)} />
      ) : null}
    </section>
  );
}

/** The last orders of a bill, the newest first. */
function Orders({ qrCodeId }: { qrCodeId: string }) {
  const t = useTranslations('tables');
  const { time } = useFormat();
  const { data } = useQuery(useTRPC().qrCodes.get.queryOptions({ qrCodeId }));
  const orders = data?.orders.toReversed() ?? [];
  if (!data) return <p className="mt-3 h-5" />;
  if (orders.length === 0) return <p className="mt-3 text-sm text-muted">{t('noOrders')}</p>;
  return (
    <ol className="mt-3 divide-y divide-line text-sm">
      {orders.map((order) => (
        <li key={order.orderId} className="py-2.5">
          <div className="mb-1 flex items-center gap-3 text-muted">
            <OrderNumber order={order} />
            {time(order.placedAt)}
            <OrderState status={order.status} />
          </div>
          <OrderLines order={order} />
        </li>
      ))}
    </ol>
  );
}

/** Prints and replaces the card. Replacing weighs less, because it ends the printed card. */
function Card({ storeId, table }: { storeId: string; table: FloorTable }) {
  const t = useTranslations('tables');
  const mayChange = useOffice().person.role !== 'cashier';
  const [isReplacing, setReplacing] = useState(false);
  return (
    <section aria-label={t('card')} className="mt-6 border-t border-line pt-4">
      <h3 className="mb-3 text-sm font-medium text-muted">{t('card')}</h3>
      <div className="flex flex-wrap items-center gap-2">
        <ButtonLink size="small" variant="secondary" href={printLink(storeId, { table: table.tableId })}>
          {t('printCard')}
        </ButtonLink>
        {table.cardUrl ? (
          <ButtonLink
            size="small"
            variant="secondary"
            href={table.cardUrl}
            target="_blank"
            rel="noreferrer"
            prefetch={false}
          >
            {t('openCard')}
          </ButtonLink>
        ) : null}
        {mayChange ? (
          <button
            type="button"
            className="ml-auto min-h-9 rounded px-1 text-sm text-muted underline underline-offset-4 hover:text-danger"
            onClick={() => setReplacing(true)}
          >
            {t('replaceCard')}…
          </button>
        ) : null}
      </div>
      {isReplacing ? <ReplaceCard table={table} onEnd={() => setReplacing(false)} /> : null}
    </section>
  );
}
