'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ScrollText, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString } from 'nuqs';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList, ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { parseAsDay, useListState } from '../lists/list-state';
import { PeriodFilter } from '../lists/period-filter';
import { useTRPC } from '../office/trpc';
import { useAuditColumns } from './audit-columns';
import { type AuditRow, useAuditWords } from './audit-words';

const fields = {
  actor: parseAsString,
  action: parseAsString,
  subjectKind: parseAsString,
  subjectId: parseAsString,
  from: parseAsDay,
  until: parseAsDay,
};

export function AuditLogScreen() {
  const t = useTranslations('auditLog');
  const trpc = useTRPC();
  const words = useAuditWords();
  const { filters, filterCount, page, setFilters, clearFilters, setPage } = useListState(fields);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
  const query = useQuery({
    ...trpc.auditLog.list.queryOptions({ ...given, ...page }),
    placeholderData: keepPreviousData,
  });
  const { subjectKind, subjectId } = filters;
  const columns = useAuditColumns(({ kind, id }) => setFilters({ subjectKind: kind, subjectId: id }));
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={<ExportLink list="audit-log" filters={filters} />}
      />
      <FilterBar count={filterCount}>
        <Choices actor={filters.actor} action={filters.action} onChange={setFilters} />
        <PeriodFilter from={filters.from} until={filters.until} onChange={setFilters} />
        {subjectKind && subjectId ? (
          <Button variant="secondary" size="small" onClick={() => setFilters({ subjectKind: null, subjectId: null })}>
            {t('ofOneSubject', { subject: words.subject(nameOfAny(query.data?.items, subjectKind, subjectId)) })}
            <X className="size-4" aria-hidden="true" />
          </Button>
        ) : null}
      </FilterBar>
      <DataList
        caption={t('title')}
        query={query}
        columns={columns}
        rowKey={({ auditId }) => auditId}
        empty={
          <EmptyState icon={ScrollText} title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        }
        isFiltered={Object.keys(given).length > 0}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
    </>
  );
}

/** The chosen item's name, taken from its first entry. Without entries, it is only its kind. */
const nameOfAny = (items: AuditRow[] = [], kind: string, id: string) =>
  items.find(({ subject }) => subject.id === id) ?? { subject: { kind, id, name: null }, before: null, after: null };

interface ChoicesProps {
  actor: string | null;
  action: string | null;
  onChange: (changes: { actor?: string | null; action?: string | null }) => void;
}

/** Filters by the people and actions in the log. */
function Choices({ actor, action, onChange }: ChoicesProps) {
  const t = useTranslations('auditLog');
  const trpc = useTRPC();
  const words = useAuditWords();
  const { data } = useQuery(trpc.auditLog.choices.queryOptions());
  const actors = data?.actors ?? [];
  return (
    <>
      <SelectBox
        aria-label={t('actor')}
        value={actor ?? ''}
        onChange={(event) => onChange({ actor: event.target.value || null })}
        options={[
          { value: '', label: t('anyActor') },
          ...actors.map(({ id, kind, name }) => ({
            value: id,
            label: kind === 'apiKey' ? t('keysGroup', { name }) : name,
          })),
          { value: 'diner', label: t('diner') },
          { value: 'service', label: t('service') },
        ]}
      />
      <SelectBox
        aria-label={t('action')}
        value={action ?? ''}
        onChange={(event) => onChange({ action: event.target.value || null })}
        options={[
          { value: '', label: t('anyAction') },
          ...(data?.actions ?? []).map((value) => ({ value, label: words.action(value) })),
        ]}
      />
    </>
  );
}
