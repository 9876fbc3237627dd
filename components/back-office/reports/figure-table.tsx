import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { ScrollRegion } from '../../ui/scroll-region';

export interface FigureColumn<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Text is aligned left. */
  isText?: boolean;
  /** On phones, the first column says it, too. */
  isWideOnly?: boolean;
}

interface FigureTableProps<Row> {
  /** The table's title. */
  caption: string;
  /** The first column names the row; the others are figures. */
  columns: FigureColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The last row: the sum of all rows. */
  total?: Row;
  /** Shows seven rows until the reader asks for all. */
  cutTo?: 'days' | 'rows';
}

const fewRows = 7;

/** A compact table of figures, which scrolls horizontally where space is tight. */
export function FigureTable<Row>({ caption, columns, rows, rowKey, total, cutTo }: FigureTableProps<Row>) {
  const t = useTranslations('reports');
  const [showsAll, setShowsAll] = useState(false);
  // One row more is shown rather than a button for it.
  const isCut = cutTo !== undefined && rows.length > fewRows + 1;
  const shown = isCut && !showsAll ? rows.slice(0, fewRows) : rows;
  return (
    <div>
      <ScrollRegion label={caption}>
        <table className="w-full border-collapse text-sm tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ id, header, isText, isWideOnly }, at) => (
                <th
                  key={id}
                  scope="col"
                  className={classNames(
                    'sticky top-0 z-10 bg-surface py-2 align-bottom text-xs break-keep font-medium text-muted shadow-[0_1px_0_var(--line)]',
                    at === 0 ? 'min-w-24 pr-3 text-left' : classNames('pl-4', isText ? 'text-left' : 'text-right'),
                    isWideOnly && 'max-sm:hidden',
                  )}
                >
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <FigureRow key={rowKey(row)} columns={columns} row={row} />
            ))}
          </tbody>
          {total ? (
            <tfoot>
              <FigureRow columns={columns} row={total} isTotal />
            </tfoot>
          ) : null}
        </table>
      </ScrollRegion>
      {isCut ? (
        <Button
          variant="secondary"
          size="small"
          className="mt-3"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t('showFewer') : t(cutTo === 'days' ? 'showAllDays' : 'showAll', { count: rows.length })}
        </Button>
      ) : null}
    </div>
  );
}

function FigureRow<Row>({
  columns,
  row,
  isTotal = false,
}: Pick<FigureTableProps<Row>, 'columns'> & { row: Row; isTotal?: boolean }) {
  return (
    <tr className={isTotal ? 'border-t-2 border-line font-semibold' : 'border-t border-line/60'}>
      {columns.map(({ id, cell, isText, isWideOnly }, at) =>
        at === 0 ? (
          <th key={id} scope="row" className={classNames('py-2 pr-3 text-left', !isTotal && 'font-normal')}>
            {cell(row)}
          </th>
        ) : (
          <td
            key={id}
            className={classNames(
              'py-2 pl-4 whitespace-nowrap',
              isText ? 'text-left' : 'text-right',
              isWideOnly && 'max-sm:hidden',
            )}
          >
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}
