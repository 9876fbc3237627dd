import { Bell, Users } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type TableState, tableStates } from '@/server/domain/floor/rules';
import { classNames } from '../../ui/class-names';
import { useMinutesSince } from '../orders/use-minutes-since';
import { useFormat } from '../state/format';
import { TableSheet } from './table-sheet';
import { areasOf, type FloorTable } from './types';

/** Each state has its own words, too, for people who cannot tell the colours apart. */
const looks = {
  free: { tile: 'border-line bg-surface text-muted', dot: 'border border-edge' },
  seated: { tile: 'border-edge bg-surface', dot: 'bg-edge' },
  ordered: { tile: 'border-accent/50 bg-tint', dot: 'bg-accent' },
  billAsked: { tile: 'border-caution bg-caution-tint', dot: 'bg-caution' },
  paid: { tile: 'border-transparent bg-accent text-on-accent', dot: 'bg-accent' },
} as const satisfies Record<TableState, { tile: string; dot: string }>;

/** The tables of a store as tiles, by area. A tile opens the table. */
export function FloorTiles({ storeId, tables }: { storeId: string; tables: FloorTable[] }) {
  const t = useTranslations('tables');
  const [openId, setOpenId] = useState<string | null>(null);
  const opened = tables.find(({ tableId }) => tableId === openId);
  return (
    <div className="flex flex-col gap-7">
      <StateCounts tables={tables} />
      {areasOf(tables).map((area) => (
        <section key={area.name} aria-label={area.name || t('title')}>
          {area.name || tables.length > area.tables.length ? (
            <h2 className="mb-3 text-lg font-semibold tracking-tight">{area.name || t('noArea')}</h2>
          ) : null}
          <ul className="grid gap-2.5 sm:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] sm:gap-3">
            {area.tables.map((table) => (
              <li key={table.tableId}>
                <Tile table={table} onOpen={() => setOpenId(table.tableId)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {opened ? <TableSheet storeId={storeId} table={opened} tables={tables} onClose={() => setOpenId(null)} /> : null}
    </div>
  );
}

/** How many tables are in each state: also the legend of the colours. */
function StateCounts({ tables }: { tables: FloorTable[] }) {
  const t = useTranslations('tables');
  const { number } = useFormat();
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm text-muted">
      {tableStates.map((state) => (
        <li key={state} className="flex items-center gap-2">
          <span className={classNames('size-2.5 rounded-full', looks[state].dot)} aria-hidden="true" />
          {t(`states.${state}`)}
          <span className="font-semibold text-ink tabular-nums">
            {number(tables.filter((table) => table.state === state).length)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A row on a phone, a tile from a tablet on. */
function Tile({ table, onOpen }: { table: FloorTable; onOpen: () => void }) {
  const t = useTranslations('tables');
  const { money, number } = useFormat();
  const { name, state, since, guests, total, seats, calls } = table;
  const isQuiet = state === 'paid' ? 'opacity-90' : 'text-muted';
  return (
    <button
      type="button"
      onClick={onOpen}
      className={classNames(
        'flex w-full gap-x-3 rounded-2xl border px-4 py-3 text-left transition-shadow hover:shadow-md',
        'items-center sm:h-full sm:min-h-31 sm:flex-col sm:items-stretch forced-colors:border-2',
        looks[state].tile,
      )}
    >
      <span className="flex min-w-0 flex-1 items-start justify-between gap-2 max-sm:flex-col max-sm:gap-0">
        <span className="min-w-0 text-lg/6 font-semibold tracking-tight wrap-anywhere">
          <span className="sr-only">{t('table')} </span>
          {name}
        </span>
        <span className="flex items-center gap-1 text-sm font-medium">
          {t(`states.${state}`)}
          {calls.includes('staff') ? (
            <>
              <Bell className="size-4 text-danger" aria-hidden="true" />
              <span className="sr-only">{t('callsStaff')}</span>
            </>
          ) : null}
        </span>
      </span>
      <span className="flex items-end justify-between gap-3 text-sm tabular-nums">
        <span className={classNames('flex flex-col', isQuiet)}>
          {guests === null && seats === null ? null : (
            <span className="flex items-center gap-1">
              <Users className="size-3.5" aria-hidden="true" />
              <span className="sr-only">{t(guests === null ? 'seats' : 'guests')} </span>
              {number(guests ?? seats ?? 0)}
            </span>
          )}
          {since === null ? null : <Minutes since={since} />}
        </span>
        {state === 'free' || total === 0 ? null : <span className="text-base font-semibold">{money(total)}</span>}
      </span>
    </button>
  );
}

function Minutes({ since }: { since: string }) {
  const count = useMinutesSince(since);
  return <time dateTime={since}>{useTranslations('tables')('minutes', { count })}</time>;
}
