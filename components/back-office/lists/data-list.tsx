'use client';

import { ChevronLeft, ChevronRight, Download, SearchX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { type Column, DataTable, type Sorting } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { SortChoice } from '@/components/ui/sort-choice';
import { accountClient } from '../../calls/account-client';
import { isUnconfirmed } from '../../calls/ask-to-confirm';
import { useRefusalText } from '../../calls/refusal';
import { useToast } from '../../ui/toast';
import { useOffice } from '../office/office';
import { type LoadedQuery, Waiting } from '../state/loaded';

interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
  previousCursor: string | null;
}

interface DataListProps<Row> {
  caption: string;
  query: LoadedQuery<Page<Row>>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** For screen readers, where rows can be selected. */
  rowName?: (row: Row) => string;
  rowHref?: (row: Row) => string | null;
  /** Shown while the list has no rows at all. */
  empty: ReactNode;
  isFiltered: boolean;
  onClearFilters?: () => void;
  onPage: (cursor: { after?: string | null; before?: string | null }) => void;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** Actions on the selected rows. `clear` unselects them. */
  bulkActions?: (selected: Row[], clear: () => void) => ReactNode;
}

/** A page of a list in each of its states: loading, failed, empty, no matches, and loaded. */
export function DataList<Row extends object>(props: DataListProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = props.query;
  if (!data) return <Waiting error={error} refetch={refetch} />;
  const isNoneFound = data.items.length === 0 && (props.isFiltered || data.previousCursor !== null);
  if (data.items.length === 0 && !isNoneFound) return props.empty;
  return (
    <div aria-busy={isPlaceholderData}>
      <div role="status">{isNoneFound ? <NoneFound {...props} /> : null}</div>
      {isNoneFound ? null : <Rows {...props} page={data} />}
    </div>
  );
}

function Rows<Row extends object>(props: DataListProps<Row> & { page: Page<Row> }) {
  const { caption, page, columns, rowKey, rowName, rowHref, bulkActions, sorting, onSort, onPage } = props;
  const t = useTranslations('common');
  const [selectedKeys, setSelectedKeys] = useState<string[]>([]);
  // Rows that have left the page are no longer selected.
  const selected = page.items.filter((row) => selectedKeys.includes(rowKey(row)));
  const clear = () => setSelectedKeys([]);
  return (
    <>
      {bulkActions && selected.length > 0 ? (
        <div className="sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-surface px-4 py-2 shadow-sm lg:top-3">
          <p role="status" className="grow text-sm font-medium">
            {t('selected', { count: selected.length })}
          </p>
          {bulkActions(selected, clear)}
        </div>
      ) : null}
      {onSort ? <SortChoice columns={columns} sorting={sorting} onSort={onSort} /> : null}
      <DataTable
        caption={caption}
        columns={columns}
        rows={page.items}
        rowKey={rowKey}
        rowName={rowName}
        rowHref={rowHref}
        sorting={sorting}
        onSort={onSort}
        selected={bulkActions ? selected.map(rowKey) : undefined}
        onSelect={bulkActions ? setSelectedKeys : undefined}
      />
      <Pages page={page} onPage={onPage} />
    </>
  );
}

function NoneFound<Row>({ onClearFilters, onPage }: DataListProps<Row>) {
  const t = useTranslations('common');
  const clear = onClearFilters ?? (() => onPage({ after: null, before: null }));
  return (
    <EmptyState
      icon={SearchX}
      title={t('noneFoundTitle')}
      action={
        <Button variant="secondary" size="small" onClick={clear}>
          {t('clearFilters')}
        </Button>
      }
    >
      {t('noneFoundHint')}
    </EmptyState>
  );
}

interface PagesProps {
  page: Pick<Page<unknown>, 'previousCursor' | 'nextCursor'>;
  onPage: (cursor: { after?: string | null; before?: string | null }) => void;
}

/** Links to the previous and next pages, where they exist. */
export function Pages({ page, onPage }: PagesProps) {
  const t = useTranslations('common');
  const { previousCursor, nextCursor } = page;
  if (!previousCursor && !nextCursor) return null;
  return (
    <nav aria-label={t('pages')} className="mt-4 flex justify-end gap-2 print:hidden">
      <Button
        variant="secondary"
        size="small"
        busy={!previousCursor}
        onClick={() => onPage({ before: previousCursor, after: null })}
      >
        <ChevronLeft className="size-4" aria-hidden="true" />
        {t('previousPage')}
      </Button>
      <Button
        variant="secondary"
        size="small"
        busy={!nextCursor}
        onClick={() => onPage({ after: nextCursor, before: null })}
      >
        {t('nextPage')}
        <ChevronRight className="size-4" aria-hidden="true" />
      </Button>
    </nav>
  );
}

interface ExportLinkProps {
  /** The name of the list in `/export/{list}`. */
  list: string;
  filters: Record<string, unknown>;
  label?: string;
  /** True for personal data: 15 minutes after the last proof of who is there, the link asks for another. */
  isSensitive?: boolean;
}

/** Links to the list for Excel and as CSV, with the current filters. */
export function ExportLink({ label, ...props }: ExportLinkProps) {
  const t = useTranslations('common');
  return (
    <>
      <FileLink {...props} format="xlsx" label={label ? t('labelForExcel', { label }) : t('exportExcel')} />
      <FileLink {...props} format={null} label={label ? t('labelAsCsv', { label }) : t('export')} />
    </>
  );
}

interface FileLinkProps extends ExportLinkProps {
  label: string;
  /** Null for CSV. */
  format: 'xlsx' | null;
}

/** A link to one file. */
export function FileLink({ list, filters, label, format, isSensitive = false }: FileLinkProps) {
  const toast = useToast();
  const refusalText = useRefusalText();
  const { merchant } = useOffice();
  const query = new URLSearchParams({ merchant: merchant.id });
  const values: Record<string, unknown> = { ...filters, format };
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  const href = `/export/${list}?${query}`;
  async function confirmAndOpen() {
    try {
      await accountClient.checkConfirmed.query();
      window.location.assign(href);
    } catch (error) {
      if (!isUnconfirmed(error)) toast.failed(refusalText(error));
    }
  }
  return (
    <a
      href={href}
      download
      onClick={(event) => {
        if (!isSensitive) return;
        event.preventDefault();
        void confirmAndOpen();
      }}
      className="inline-flex min-h-9 items-center gap-2 rounded-lg border border-edge bg-surface px-3.5 text-sm font-medium hover:border-ink"
    >
      <Download className="size-4" aria-hidden="true" />
      {label}
    </a>
  );
}
