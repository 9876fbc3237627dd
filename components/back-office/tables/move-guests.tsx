import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Button } from '../../ui/button';
import { SelectBox } from '../../ui/select';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import type { FloorTable } from './types';

interface MoveGuestsProps {
  qrCodeId: string;
  from: FloorTable;
  tables: FloorTable[];
  onDone: () => void;
}

/** Chooses the table to which the guests of a bill move. Free tables come first. */
export function MoveGuests({ qrCodeId, from, tables, onDone }: MoveGuestsProps) {
  const t = useTranslations('tables');
  const id = useId();
  const { toast, settle } = useChange('tables', 'qrCodes', 'orders');
  const others = tables
    .filter(({ tableId }) => tableId !== from.tableId)
    .toSorted((one, other) => Number(one.state !== 'free') - Number(other.state !== 'free'));
  const [tableId, setTableId] = useState(others[0]?.tableId ?? '');
  const to = others.find((table) => table.tableId === tableId);
  const move = useMutation(
    useTRPC().tables.moveGuests.mutationOptions({
      ...settle,
      onSuccess: () => {
        toast.done(t('moved', { table: to?.name ?? '' }));
        onDone();
      },
    }),
  );
  return (
    <div className="mt-4 rounded-xl bg-tint/60 p-3">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t('moveTo')}
      </label>
      <div className="flex flex-wrap gap-2">
        <SelectBox
          id={id}
          value={tableId}
          onChange={({ target }) => setTableId(target.value)}
          options={others.map((table) => ({
            value: table.tableId,
            label: [table.name, table.area, t(`states.${table.state}`)].filter(Boolean).join(' · '),
          }))}
          className="min-w-0 grow"
        />
        <Button size="small" busy={move.isPending || !to} onClick={() => move.mutate({ qrCodeId, tableId })}>
          {t('move')}
        </Button>
      </div>
    </div>
  );
}
