import { useTranslations } from 'next-intl';
import type { Movement, StoreMovement } from '@/server/domain/reports';
import { type FigureColumn, FigureTable } from './figure-table';

interface MovementTableProps<Part extends string> {
  stores: StoreMovement<Part>[];
  total: Movement;
  /** The name of a grant: a top-up, or points earned. */
  granted: string;
  /** Shown next to the store, where there is more than one part. */
  partName?: (part: Part) => string;
  /** With its sign. */
  format: (amount: number) => string;
}

const booked = ['granted', 'spent', 'voided', 'expired', 'adjusted'] as const;

/** By store: the opening balance, the movements, and the closing balance. */
export function MovementTable<Part extends string>(props: MovementTableProps<Part>) {
  const { stores, total, granted, partName, format } = props;
  const t = useTranslations('reports');
  type Row = Movement & { storeId: string | null; name: string; part?: string };
  const names = { granted, spent: t('redeemed'), voided: t('voided'), expired: t('expired'), adjusted: t('adjusted') };
  const movement = (value: number) => (value === 0 ? '–' : `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`);
  const held = (value: number) => (value < 0 ? `−${format(-value)}` : format(value));
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
    { id: 'opening', header: t('opening'), cell: ({ opening }) => held(opening) },
    ...booked.map((id) => ({ id, header: names[id], cell: (row: Row) => movement(row[id]) })),
    {
      id: 'closing',
      header: t('closing'),
      cell: ({ closing }) => <strong className="font-semibold">{held(closing)}</strong>,
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
