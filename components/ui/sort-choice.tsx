import { useTranslations } from 'next-intl';
import { useId } from 'react';
import type { Column, Sorting } from './data-table';
import { SelectBox } from './select';

interface SortChoiceProps<Row> {
  columns: Column<Row>[];
  sorting: Sorting | undefined;
  onSort: (sorting: Sorting) => void;
}

/** A table's sort orders as a select, for phones, where there are no headings to press. */
export function SortChoice<Row>({ columns, sorting, onSort }: SortChoiceProps<Row>) {
  const t = useTranslations('common');
  const id = useId();
  const orders = columns
    .filter(({ sortable }) => sortable)
    .flatMap(({ id, header }) => [
      { column: id, header, descending: false },
      { column: id, header, descending: true },
    ]);
  const keyOf = ({ column, descending }: Sorting) => `${column} ${descending ? 'down' : 'up'}`;
  return (
    <div className="mb-3 flex items-center justify-end gap-2 text-sm text-muted sm:hidden">
      <label htmlFor={id}>{t('sortBy')}</label>
      <SelectBox
        id={id}
        value={sorting ? keyOf(sorting) : ''}
        onChange={({ target }) => {
          const order = orders.find((one) => keyOf(one) === target.value);
          if (order) onSort({ column: order.column, descending: order.descending });
        }}
        options={orders.map(({ header, ...order }) => ({
          value: keyOf(order),
          label: t('sortOrder', { column: header, direction: order.descending ? 'down' : 'up' }),
        }))}
        className="min-h-9 w-auto"
      />
    </div>
  );
}
