'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MessageSquareText, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { messageState } from '@/server/domain/messaging/schemas';
import { Button, ButtonLink } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { CustomerPicker } from '../lists/customer-picker';
import { DataList, ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { parseAsDay, useListState } from '../lists/list-state';
import { PeriodFilter } from '../lists/period-filter';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useMessageColumns } from './message-columns';

const states = messageState.options;

export function MessagesScreen() {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const { data: settings } = useQuery(trpc.settings.get.queryOptions());
  const { filters, filterCount, page, setFilters, clearFilters, setPage } = useListState({
    state: parseAsStringLiteral(states),
    customer: parseAsString,
    from: parseAsDay,
    until: parseAsDay,
  });
  const { state, customer, from, until } = filters;
  const filter = {
    state: state ?? undefined,
    customerId: customer ?? undefined,
    from: from ?? undefined,
    until: until ?? undefined,
  };
  const query = useQuery({
    ...trpc.messages.list.queryOptions({ ...filter, ...page }),
    placeholderData: keepPreviousData,
  });
  const canEdit = useIsGeneralManager();
  const isInbox = settings?.messenger === 'inbox';
  return (
    <>
      <PageHeader
        title={t('title')}
        description={settings && (isInbox ? t('descriptionInbox') : t('descriptionSent'))}
        actions={
          <>
            {canEdit ? (
              <ButtonLink href="/messages/templates" variant="secondary">
                {t('templates')}
              </ButtonLink>
            ) : null}
            <ExportLink isSensitive list="messages" filters={filter} />
          </>
        }
      />
      <FilterBar count={filterCount}>
        <SelectBox
          aria-label={t('state')}
          value={state ?? ''}
          onChange={(event) => setFilters({ state: states.find((one) => one === event.target.value) ?? null })}
          options={[{ value: '', label: t('anyState') }, ...states.map((value) => ({ value, label: t(value) }))]}
        />
        <PeriodFilter from={from} until={until} onChange={setFilters} />
        {customer ? (
          <Button variant="secondary" size="small" onClick={() => setFilters({ customer: null })}>
            {t('ofOneCustomer')}
            <X className="size-4" aria-hidden="true" />
          </Button>
        ) : (
          <CustomerPicker isFilter onPick={(picked) => setFilters({ customer: picked.customerId })} />
        )}
      </FilterBar>
      <DataList
        caption={t('title')}
        query={query}
        columns={useMessageColumns()}
        rowKey={({ messageId }) => messageId}
        empty={
          <EmptyState icon={MessageSquareText} title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        }
        isFiltered={[state, customer, from, until].some((one) => one !== null)}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
    </>
  );
}
