'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileUp, UserPlus, Users } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs';
import { useState } from 'react';
import { Badge } from '../../ui/badge';
import { Button, ButtonLink } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList, ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { parseAsDay, useListState } from '../lists/list-state';
import { PeriodFilter } from '../lists/period-filter';
import { SearchBox } from '../lists/search-box';
import { useIsGeneralManager, useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { EnrolDialog } from './enrol-dialog';
import { LookUpScreen } from './look-up-screen';
import type { ListedCustomer } from './types';

const shown = ['holding', 'blockedOnly'] as const;
const orders = ['joined', 'name'] as const;
const fields = {
  search: parseAsString,
  show: parseAsStringLiteral(shown),
  tag: parseAsString,
  from: parseAsDay,
  until: parseAsDay,
  sort: parseAsStringLiteral(orders).withDefault('joined'),
  descending: parseAsBoolean.withDefault(true),
};

/** The list of customers; for cashiers, a look-up instead. */
export function CustomersScreen() {
  return useIsRole('owner', 'manager') ? <CustomerList /> : <LookUpScreen />;
}

function CustomerList() {
  const t = useTranslations('customers');
  const { filters, filterCount, page, setFilters, clearFilters, setPage } = useListState(fields);
  const { search, show, tag, from, until, descending } = filters;
  // A date range sorts by sign-up date, so no other order is offered.
  const isByDays = search === null && (from ?? until) !== null;
  const sort = isByDays ? 'joined' : filters.sort;
  const filter = {
    search: search ?? undefined,
    tag: tag ?? undefined,
    holdsValue: show === 'holding' || undefined,
    isBlocked: show === 'blockedOnly' || undefined,
    from: from ?? undefined,
    until: until ?? undefined,
  };
  const query = useQuery({
    ...useTRPC().customers.list.queryOptions({ ...filter, ...page, sort, descending }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={<Actions filter={filter} />} />
      <FilterBar
        count={filterCount}
        search={
          <SearchBox
            label={t('search')}
            value={search ?? ''}
            onSearch={(text) => setFilters({ search: text || null })}
          />
        }
      >
        <SelectBox
          aria-label={t('show')}
          value={show ?? ''}
          onChange={({ target }) => setFilters({ show: shown.find((one) => one === target.value) ?? null })}
          options={[{ value: '', label: t('everybody') }, ...shown.map((value) => ({ value, label: t(value) }))]}
        />
        <TagFilter value={tag} onChange={(one) => setFilters({ tag: one })} />
        <fieldset className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:col-span-2">
          <legend className="sr-only">{t('joinedRange')}</legend>
          <span aria-hidden="true" className="text-sm text-muted">
            {t('joinedRange')}
          </span>
          <PeriodFilter label={t('joinedRange')} from={from} until={until} onChange={setFilters} />
        </fieldset>
      </FilterBar>
      {query.data?.isSearchCut ? (
        <p role="status" className="mb-3 text-sm text-muted">
          {t('searchCut')}
        </p>
      ) : null}
      <DataList
        caption={t('title')}
        query={query}
        columns={useColumns({ canSortByName: !isByDays })}
        rowKey={({ customerId }) => customerId}
        rowHref={({ customerId }) => `/customers/${customerId}`}
        empty={
          <EmptyState icon={Users} title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        }
        isFiltered={[search, show, tag, from, until].some((one) => one !== null)}
        onClearFilters={clearFilters}
        onPage={setPage}
        sorting={{ column: sort, descending }}
        onSort={({ column, descending: isDescending }) =>
          setFilters({ sort: orders.find((one) => one === column) ?? null, descending: isDescending })
        }
      />
    </>
  );
}

/** A choice of the tags that customers have. Nothing where they have none. */
function TagFilter({ value, onChange }: { value: string | null; onChange: (tag: string | null) => void }) {
  const t = useTranslations('customers');
  const { data: known = [] } = useQuery(useTRPC().customers.tags.queryOptions());
  // A link may name one that nobody has any more.
  const isKnown = value === null || known.includes(value);
  const tags = isKnown ? known : [value, ...known];
  if (tags.length === 0) return null;
  return (
    <SelectBox
      aria-label={t('withTag')}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
      options={[{ value: '', label: t('anyTag') }, ...tags.map((tag) => ({ value: tag, label: tag }))]}
    />
  );
}

function Actions({ filter }: { filter: Record<string, unknown> }) {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const canImport = useIsGeneralManager();
  const [isEnrolling, setEnrolling] = useState(false);
  return (
    <>
      <ExportLink isSensitive list="customers" filters={filter} />
      {canImport ? (
        <ButtonLink href="/customers/import" variant="secondary" size="small">
          <FileUp className="size-4" aria-hidden="true" />
          {tCommon('import')}
        </ButtonLink>
      ) : null}
      <Button size="small" onClick={() => setEnrolling(true)}>
        <UserPlus className="size-4" aria-hidden="true" />
        {t('enrol')}
      </Button>
      {isEnrolling ? <EnrolDialog onClose={() => setEnrolling(false)} /> : null}
    </>
  );
}

function useColumns({ canSortByName }: { canSortByName: boolean }): Column<ListedCustomer>[] {
  const t = useTranslations('customers');
  const { money, number, date } = useFormat();
  const none = (
    <span data-quiet className="text-muted">
      –
    </span>
  );
  return [
    {
      id: 'name',
      header: t('customer'),
      sortable: canSortByName,
      cell: ({ name, isErased, isMerged, isBlocked }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {name}
          {isErased ? (
            <Badge>{t('erased')}</Badge>
          ) : isMerged ? (
            <Badge>{t('merged')}</Badge>
          ) : isBlocked ? (
            <Badge tone="danger">{t('blocked')}</Badge>
          ) : null}
        </span>
      ),
    },
    {
      id: 'contact',
      narrow: 'bare',
      header: t('contact'),
      cell: ({ phone, email }) => (
        <>
          {phone ? <span className="block tabular-nums">{phone}</span> : null}
          {email ? (
            <span className={phone ? 'block text-muted max-sm:hidden' : 'block text-muted'}>{email}</span>
          ) : null}
          {(phone ?? email) ? null : none}
        </>
      ),
    },
    {
      id: 'storedValue',
      narrow: 'aside',
      header: t('storedValue'),
      align: 'end',
      cell: ({ storedValue }) => (storedValue > 0 ? money(storedValue) : none),
    },
    { id: 'points', header: t('points'), align: 'end', cell: ({ points }) => (points > 0 ? number(points) : none) },
    {
      id: 'joined',
      header: t('joined'),
      sortable: true,
      cell: ({ joinedAt }) => <span className="whitespace-nowrap">{date(joinedAt)}</span>,
    },
  ];
}
