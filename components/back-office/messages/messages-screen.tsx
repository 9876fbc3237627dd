'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MessageSquareText, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { messageState } from '@/server/domain/messaging/schemas';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList } from '../data-list';
import { DayRange } from '../day-range';
import { useListState } from '../list-state';
import { useTRPC } from '../trpc';
import { useMessageColumns } from './message-columns';

const states = messageState.options;

export function MessagesScreen() {
  const t = useTranslations('messages');
  const trpc = useTRPC();
  const { data: settings } = useQuery(trpc.settings.get.queryOptions());
  const { filters, page, setFilters, clearFilters, setPage } = useListState({
    state: parseAsStringLiteral(states),
    customer: parseAsString,
    from: parseAsString,
    until: parseAsString,
  });
  const { state, customer, from, until } = filters;
  const query = useQuery({
    ...trpc.messages.list.queryOptions({
      state: state ?? undefined,
      customerId: customer ?? undefined,
      from: from ?? undefined,
      until: until ?? undefined,
      ...page,
    }),
    placeholderData: keepPreviousData,
  });
  const isInbox = settings?.messenger === 'inbox';
  return (
    <>
      <PageHeader
        title={t('title')}
        description={settings && (isInbox ? t('descriptionInbox') : t('descriptionSent'))}
      />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SelectBox
          aria-label={t('state')}
          value={state ?? ''}
          onChange={(event) => setFilters({ state: states.find((one) => one === event.target.value) ?? null })}
          options={[{ value: '', label: t('anyState') }, ...states.map((value) => ({ value, label: t(value) }))]}
        />
        <DayRange from={from} until={until} onChange={setFilters} />
        {customer ? (
          <Button variant="secondary" size="small" onClick={() => setFilters({ customer: null })}>
            {t('ofOneCustomer')}
            <X className="size-4" aria-hidden="true" />
          </Button>
        ) : null}
      </div>
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
