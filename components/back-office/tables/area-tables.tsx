import { Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button, ButtonLink } from '../../ui/button';
import { type Column, DataTable } from '../../ui/data-table';
import { useFormat } from '../state/format';
import { ChangeTableDialog } from './change-table-dialog';
import { RemoveTables } from './table-dialogs';
import { type Area, type FloorTable, printLink } from './types';

interface AreaTablesProps {
  storeId: string;
  area: Area;
  mayChange: boolean;
}

/** The actions on a table, each with a dialog. */
type Task = 'change' | 'remove';

/** The tables of one area. */
export function AreaTables({ storeId, area: { name, tables }, mayChange }: AreaTablesProps) {
  const t = useTranslations('tables');
  const [task, setTask] = useState<{ kind: Task; tables: FloorTable[] } | null>(null);
  const [selected, setSelected] = useState<string[]>([]);
  const chosen = tables.filter(({ tableId }) => selected.includes(tableId));
  const end = () => setTask(null);
  const [first] = task?.tables ?? [];
  const columns = useTableColumns((table) => (
    <Actions storeId={storeId} table={table} onTask={mayChange ? (kind) => setTask({ kind, tables: [table] }) : null} />
  ));
  return (
    <section aria-label={name || t('title')}>
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold tracking-tight">
          {name || t('noArea')} <span className="font-normal text-muted">{t('count', { count: tables.length })}</span>
        </h2>
        <div className="flex flex-wrap gap-2">
          {chosen.length > 0 ? (
            <Button variant="danger" size="small" onClick={() => setTask({ kind: 'remove', tables: chosen })}>
              {t('remove', { count: chosen.length })}
            </Button>
          ) : null}
          <ButtonLink
            variant="secondary"
            size="small"
            href={printLink(storeId, chosen.length > 0 ? { table: selected.join(',') } : { area: name })}
          >
            <Printer className="size-4" aria-hidden="true" />
            {chosen.length > 0 ? t('printChosen', { count: chosen.length }) : t('printArea')}
          </ButtonLink>
        </div>
      </div>
      <DataTable
        caption={name || t('title')}
        columns={columns}
        rows={tables}
        rowKey={({ tableId }) => tableId}
        rowName={(table) => table.name}
        selected={chosen.map(({ tableId }) => tableId)}
        onSelect={mayChange ? setSelected : undefined}
      />
      {task?.kind === 'change' && first ? <ChangeTableDialog table={first} onClose={end} /> : null}
      {task?.kind === 'remove' ? <RemoveTables tables={task.tables} onEnd={end} /> : null}
    </section>
  );
}

function useTableColumns(actionsOf: (table: FloorTable) => ReactNode): Column<FloorTable>[] {
  const t = useTranslations('tables');
  const format = useFormat();
  return [
    { id: 'name', header: t('table'), cell: (table) => <span className="font-medium">{table.name}</span> },
    {
      id: 'seats',
      header: t('seats'),
      align: 'end',
      cell: ({ seats }) => (seats === null ? '–' : format.number(seats)),
    },
    { id: 'state', narrow: 'aside', header: t('state'), cell: ({ state }) => t(`states.${state}`) },
    { id: 'actions', narrow: 'bare', header: t('actions'), align: 'end', cell: actionsOf },
  ];
}

interface ActionsProps {
  storeId: string;
  table: FloorTable;
  /** Null for staff who may change no tables. */
  onTask: ((task: Task) => void) | null;
}

function Actions({ storeId, table, onTask }: ActionsProps) {
  const t = useTranslations('tables');
  const ofTable = <span className="sr-only"> {table.name}</span>;
  return (
    <span className="inline-flex flex-wrap gap-2 sm:justify-end">
      <ButtonLink variant="secondary" size="small" href={printLink(storeId, { table: table.tableId })}>
        {t('printCard')}
        {ofTable}
      </ButtonLink>
      {table.cardUrl ? (
        <ButtonLink
          variant="secondary"
          size="small"
          href={table.cardUrl}
          target="_blank"
          rel="noreferrer"
          prefetch={false}
        >
          {t('openCard')}
          {ofTable}
        </ButtonLink>
      ) : null}
      {onTask ? (
        <Button variant="secondary" size="small" onClick={() => onTask('change')}>
          {t('edit')}
          {ofTable}
        </Button>
      ) : null}
    </span>
  );
}
