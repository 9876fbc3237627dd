import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { iconButtonLook } from '../../ui/icon-button';
import { SortableList } from '../../ui/sortable-list';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { type Area, areasOf, type FloorTable } from './types';

/** The tables of a store, to drag into the order in which they stand in the room, and their areas. */
export function ArrangeFloor({ storeId, tables }: { storeId: string; tables: FloorTable[] }) {
  const t = useTranslations('tables');
  const arrange = useArrange(storeId);
  const areas = areasOf(tables);
  const move = (at: number, by: 1 | -1) => {
    const moved = [...areas];
    moved.splice(at + by, 0, ...moved.splice(at, 1));
    arrange(moved.flatMap((area) => area.tables));
  };
  return (
    <div className="flex flex-col gap-7">
      <p className="text-sm text-muted">{t('arrangeHint')}</p>
      {areas.map((area, at) => (
        <section key={area.name} aria-label={area.name || t('noArea')}>
          <div className="mb-2 flex items-center gap-1">
            <h2 className="mr-2 text-lg font-semibold tracking-tight">{area.name || t('noArea')}</h2>
            {areas.length > 1 ? (
              <>
                <MoveArea area={area} isUp isDisabled={at === 0} onMove={() => move(at, -1)} />
                <MoveArea area={area} isDisabled={at === areas.length - 1} onMove={() => move(at, 1)} />
              </>
            ) : null}
          </div>
          <SortableList
            label={area.name || t('noArea')}
            items={area.tables}
            keyOf={({ tableId }) => tableId}
            nameOf={({ name }) => name}
            onOrder={(tableIds) =>
              arrange(areas.flatMap((one) => (one === area ? inOrder(area, tableIds) : one.tables)))
            }
            isGrid
            className="grid grid-cols-2 gap-2.5 sm:grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))]"
            itemClassName="min-h-14 rounded-2xl border border-line bg-surface px-2"
          >
            {({ name }) => <span className="min-w-0 font-semibold tracking-tight wrap-anywhere">{name}</span>}
          </SortableList>
        </section>
      ))}
    </div>
  );
}

const inOrder = ({ tables }: Area, tableIds: string[]): FloorTable[] =>
  tableIds.flatMap((id) => tables.find(({ tableId }) => tableId === id) ?? []);

interface MoveAreaProps {
  area: Area;
  isUp?: boolean;
  isDisabled: boolean;
  onMove: () => void;
}

function MoveArea({ area, isUp = false, isDisabled, onMove }: MoveAreaProps) {
  const t = useTranslations('tables');
  const Icon = isUp ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      className={iconButtonLook}
      aria-label={t(isUp ? 'moveAreaUp' : 'moveAreaDown', { area: area.name || t('noArea') })}
      aria-disabled={isDisabled}
      onClick={isDisabled ? undefined : onMove}
    >
      <Icon className="size-4" aria-hidden="true" />
    </button>
  );
}

/** Arranges the tables on the screen at once, and reverts if saving fails. */
function useArrange(storeId: string): (tables: FloorTable[]) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { settle } = useChange('tables');
  const list = trpc.tables.list.queryKey({ storeId });
  const { mutate } = useMutation(trpc.tables.arrange.mutationOptions(settle));
  return (tables) => {
    void queryClient.cancelQueries({ queryKey: list });
    // A place for each, so that the next move starts from what is seen.
    queryClient.setQueryData(list, { tables: tables.map((table, at) => ({ ...table, position: at + 1 })) });
    mutate({ storeId, tableIds: tables.map(({ tableId }) => tableId) });
  };
}
