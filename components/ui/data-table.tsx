'use client';

import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Link } from './link';

export interface Column<Row> {
  /** Also the name of the sort order, if `sortable`. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** `end` for figures. */
  align?: 'end';
  sortable?: boolean;
  /** Hidden if there is little space. */
  wideOnly?: boolean;
  /**
   * On a phone: `aside` is at the end of the row's first line, `bare` below it. All others follow with their headings.
   */
  narrow?: 'aside' | 'bare';
}

export interface Sorting {
  column: string;
  descending: boolean;
}

interface DataTableProps<Row> {
  /** The table's title, for screen readers. */
  caption: string;
  /** The first column names the row and carries the link. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  rowName?: (row: Row) => string;
  /** Null for a row that can't be opened. */
  rowHref?: (row: Row) => string | null;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** The keys of the selected rows. */
  selected?: string[];
  /** Without it, rows can't be selected. */
  onSelect?: (keys: string[]) => void;
}

/**
 * A table on a desktop. On a phone, each row is a block with its name, and the other values below. This layout removes
 * the elements' implicit roles, so the roles are set explicitly.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sorting, onSort, selected = [], onSelect } = props;
  const t = useTranslations('common');
  const areAllSelected = selected.length > 0 && selected.length === rows.length;

  return (
    <div className="@container overflow-x-auto rounded-2xl border border-line bg-surface">
      <table role="table" className="w-full border-collapse text-sm max-sm:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className={onSelect ? 'max-sm:block' : 'max-sm:hidden'}>
          <tr role="row" className="border-b border-line text-left max-sm:flex max-sm:px-2.5 max-sm:py-1">
            {onSelect ? (
              <th role="columnheader" scope="col" className="w-0 py-3 pl-4 max-sm:w-auto max-sm:p-0">
                <Checkbox
                  label={t('selectAll')}
                  checked={areAllSelected}
                  isPartly={selected.length > 0 && !areAllSelected}
                  onChange={(isOn) => onSelect(isOn ? rows.map(rowKey) : [])}
                >
                  <span className="text-sm font-normal text-muted sm:hidden">{t('selectAll')}</span>
                </Checkbox>
              </th>
            ) : null}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:block">
          {rows.map((row) => {
            const key = rowKey(row);
            const others = selected.filter((other) => other !== key);
            return (
              <BodyRow
                key={key}
                {...props}
                row={row}
                isSelected={selected.includes(key)}
                onToggle={onSelect ? (isOn) => onSelect(isOn ? [...others, key] : others) : undefined}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
  onSort: ((sorting: Sorting) => void) | undefined;
}

function HeaderCell<Row>({ column, sorting, onSort }: HeaderCellProps<Row>) {
  const isSorted = sorting?.column === column.id;
  const Arrow = !isSorted ? ChevronsUpDown : sorting.descending ? ArrowDown : ArrowUp;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? (sorting.descending ? 'descending' : 'ascending') : undefined}
      className={classNames(
        'px-4 py-3 text-xs font-medium whitespace-nowrap text-muted max-sm:hidden sm:@max-4xl:px-3',
        column.wideOnly && '@max-4xl:hidden',
        column.align === 'end' && 'text-right',
      )}
    >
      {column.sortable && onSort ? (
        <button
          type="button"
          className="inline-flex items-center gap-1 rounded hover:text-ink"
          onClick={() => onSort({ column: column.id, descending: isSorted ? !sorting.descending : false })}
        >
          {column.header}
          <Arrow className="size-3.5" aria-hidden="true" />
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

const narrowLooks = {
  aside: 'max-sm:order-1 max-sm:max-w-3/5 max-sm:text-right',
  bare: 'max-sm:order-3 max-sm:text-left max-sm:text-[0.8125rem]/5 max-sm:text-muted',
  named: 'max-sm:order-3 max-sm:text-left max-sm:text-[0.8125rem]/5',
};

interface BodyRowProps<Row> extends DataTableProps<Row> {
  row: Row;
  isSelected: boolean;
  onToggle: ((isOn: boolean) => void) | undefined;
}

function BodyRow<Row>({ columns, row, rowName, rowHref, isSelected, onToggle }: BodyRowProps<Row>) {
  const t = useTranslations('common');
  const href = rowHref?.(row) ?? null;
  return (
    <tr
      role="row"
      className={classNames(
        'relative border-b border-line transition-colors last:border-0',
        'max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:gap-x-3 max-sm:gap-y-1 max-sm:px-4 max-sm:py-3',
        // Always ends the first line.
        'max-sm:before:order-2 max-sm:before:w-full',
        onToggle && 'max-sm:pl-12',
        href !== null && 'hover:bg-tint/50',
        isSelected && 'bg-tint/70',
      )}
    >
      {onToggle ? (
        <td role="cell" className="w-0 py-3 pl-4 max-sm:absolute max-sm:top-2 max-sm:left-2.5 max-sm:w-auto max-sm:p-0">
          <Checkbox label={t('selectRow', { name: rowName?.(row) ?? '' })} checked={isSelected} onChange={onToggle} />
        </td>
      ) : null}
      {columns.map((column, at) => (
        <td
          key={column.id}
          role="cell"
          className={classNames(
            // A long word breaks before it pushes other columns out of view.
            'px-4 py-3 align-middle sm:@max-4xl:px-3 max-sm:min-w-0 max-sm:p-0 sm:max-w-64',
            column.align === 'end' && 'text-right tabular-nums',
            column.wideOnly && '@max-4xl:hidden',
            // A cell marked as quiet is left out on a phone.
            at === 0
              ? 'max-sm:flex-1 max-sm:text-base/6 max-sm:font-medium sm:min-w-32 wrap-anywhere'
              : `max-sm:has-data-quiet:hidden ${narrowLooks[column.narrow ?? 'named']}`,
          )}
        >
          {at === 0 ? null : (
            <span className={classNames('text-muted sm:hidden', column.narrow && 'sr-only')}>{column.header} </span>
          )}
          {at === 0 && href !== null ? (
            // The whole row is the link's target. Other controls in the row are above it.
            <Link href={href} className="rounded font-medium after:absolute after:inset-0 after:content-['']">
              {column.cell(row)}
            </Link>
          ) : (
            <span className="min-w-0 wrap-break-word max-sm:wrap-anywhere">{column.cell(row)}</span>
          )}
        </td>
      ))}
    </tr>
  );
}

interface CheckboxProps {
  label: string;
  checked: boolean;
  isPartly?: boolean;
  onChange: (isOn: boolean) => void;
  /** The visible label, if there is room. */
  children?: ReactNode;
}

function Checkbox({ label, checked, isPartly = false, onChange, children }: CheckboxProps) {
  return (
    <label className="relative z-10 flex h-8 min-w-8 cursor-pointer items-center justify-center gap-2">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input) => {
          if (input) input.indeterminate = isPartly;
        }}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4.5 accent-accent"
      />
      {children}
    </label>
  );
}
