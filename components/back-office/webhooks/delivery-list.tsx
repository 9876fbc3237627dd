'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { parseAsStringLiteral } from 'nuqs';
import { useState } from 'react';
import { deliveryStates } from '@/server/domain/webhooks/schemas';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { SelectBox } from '../../ui/select';
import { DataList } from '../lists/data-list';
import { useListState } from '../lists/list-state';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { type Delivery, DeliveryResult, DeliveryState } from './endpoint-facts';
import { ResendDialog } from './resend-dialog';

/** Deliveries send no live update, because there are too many. */
const refreshMs = 5_000;

/** An endpoint's deliveries, sent and waiting. */
export function DeliveryList({ endpointId }: { endpointId: string }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const { filters, page, setFilters, clearFilters, setPage } = useListState({
    state: parseAsStringLiteral(deliveryStates),
  });
  const query = useQuery({
    ...trpc.webhooks.deliveries.queryOptions({ endpointId, state: filters.state ?? undefined, ...page }),
    placeholderData: keepPreviousData,
    refetchInterval: page.after || page.before ? false : refreshMs,
  });
  const [isResending, setIsResending] = useState(false);
  return (
    <section aria-labelledby="deliveries" className="mt-10">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="deliveries" className="text-lg font-semibold tracking-tight">
            {t('deliveries')}
          </h2>
          <p className="mt-1 text-sm text-muted">{t('deliveriesText')}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <SelectBox
            aria-label={t('state')}
            value={filters.state ?? ''}
            onChange={(event) =>
              setFilters({ state: deliveryStates.find((one) => one === event.target.value) ?? null })
            }
            options={[
              { value: '', label: t('anyState') },
              ...deliveryStates.map((state) => ({ value: state, label: t(`states.${state}`) })),
            ]}
          />
          <Button variant="secondary" size="small" onClick={() => setIsResending(true)}>
            {t('resendSpan')}
          </Button>
        </div>
      </div>
      <DataList
        caption={t('deliveries')}
        query={query}
        columns={useColumns()}
        rowKey={({ eventId }) => eventId}
        rowHref={({ eventId }) => `/webhooks/${endpointId}/deliveries/${eventId}`}
        empty={
          <EmptyState icon={Send} title={t('noDeliveriesTitle')}>
            {t('noDeliveriesText')}
          </EmptyState>
        }
        isFiltered={filters.state !== null}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
      {isResending ? <ResendDialog endpointId={endpointId} onClose={() => setIsResending(false)} /> : null}
    </section>
  );
}

const toTheSecond = { dateStyle: 'medium', timeStyle: 'medium' } as const;

function useColumns(): Column<Delivery>[] {
  const t = useTranslations('webhooks');
  const formatter = useFormatter();
  const format = useFormat();
  return [
    { id: 'event', header: t('event'), cell: ({ type }) => t(`types.${type}`) },
    { id: 'state', narrow: 'aside', header: t('state'), cell: (delivery) => <DeliveryState delivery={delivery} /> },
    { id: 'result', narrow: 'bare', header: t('result'), cell: (delivery) => <DeliveryResult delivery={delivery} /> },
    {
      id: 'time',
      narrow: 'bare',
      header: t('time'),
      cell: ({ createdAt }) => formatter.dateTime(new Date(createdAt), toTheSecond),
    },
    {
      id: 'duration',
      wideOnly: true,
      align: 'end',
      header: t('duration'),
      cell: ({ durationMs }) => (durationMs === null ? '–' : t('durationMs', { value: format.number(durationMs) })),
    },
    {
      id: 'next',
      wideOnly: true,
      header: t('nextAttempt'),
      cell: ({ nextAttemptAt, attempts }) =>
        nextAttemptAt && attempts > 0 ? formatter.dateTime(new Date(nextAttemptAt), toTheSecond) : '–',
    },
    { id: 'attempts', wideOnly: true, align: 'end', header: t('attempts'), cell: ({ attempts }) => attempts },
  ];
}
