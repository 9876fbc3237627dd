import { useTranslations } from 'next-intl';
import { formatSigned } from '@/server/domain/kernel/money';
import type { Movement, StoreMovement } from '@/server/domain/reports';
import { type FigureKey, FigureName } from './figure-name';
import { type FigureColumn, FigureTable } from './figure-table';

const booked = ['granted', 'spent', 'expired', 'adjusted'] as const;

interface MovementTableProps<Part extends string> {
  stores: StoreMovement<Part>[];
  total: Movement;
  figures: Record<(typeof booked)[number], FigureKey>;
  /** Shown next to the store, if there are several parts. */
  partName?: (part: Part) => string;
  /** With its sign. */
  format: (amount: number) => string;
}

/** By store: the opening balance, the movements, and the closing balance. */
export function MovementTable<Part extends string>(props: MovementTableProps<Part>) {
  const { stores, total, figures, partName, format } = props;
  const t = useTranslations('reports');
  type Row = Movement & { storeId: string | null; name: string; part?: string };
  const movement = (value: number) => (value === 0 ? '–' : formatSigned(value, format));
  const columns: FigureColumn<Row>[] = [
    {
      id: 'store',
      header: t('store'),
      cell: ({ name, part }) => (
        <>
          {name}
          {part ? <span className="block text-muted">{part}</span> : null}
        </>
      ),
    },
    { id: 'opening', header: <FigureName figure="opening" />, cell: ({ opening }) => format(opening) },
    ...booked.map((id) => ({ id, header: <FigureName figure={figures[id]} />, cell: (row: Row) => movement(row[id]) })),
    {
      id: 'closing',
      header: <FigureName figure="closing" />,
      cell: ({ closing }) => <strong className="font-semibold">{format(closing)}</strong>,
    },
  ];
  const rows = stores.map((one) => ({ ...one, name: one.storeName ?? t('noStore'), part: partName?.(one.part) }));
  return (
    <>
      <FigureTable
        caption={t('byStore')}
        columns={columns}
        rows={rows}
        rowKey={({ storeId, part }) => `${storeId} ${part}`}
        total={{ ...total, storeId: null, name: t('total') }}
      />
      <p className="mt-4 max-w-3xl text-sm leading-relaxed text-muted">{t('byStoreHint')}</p>
    </>
  );
}
