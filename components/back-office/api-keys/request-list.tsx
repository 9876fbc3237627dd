'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { Activity } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { parseAsStringLiteral } from 'nuqs';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { SelectBox } from '../../ui/select';
import { DataList, ExportLink } from '../lists/data-list';
import { useListState } from '../lists/list-state';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';

type ApiRequest = inferRouterOutputs<StaffRouter>['apiKeys']['requests']['items'][number];

const outcomes = ['succeeded', 'refused', 'failed'] as const;
/** Tills send requests all day, and people look here for the most recent ones. */
const refreshMs = 5_000;

/** The requests made with a key. */
export function RequestList({ apiKeyId }: { apiKeyId: string }) {
  const t = useTranslations('apiKeys');
  const trpc = useTRPC();
  const { filters, page, setFilters, clearFilters, setPage } = useListState({
    outcome: parseAsStringLiteral(outcomes),
  });
  const query = useQuery({
    ...trpc.apiKeys.requests.queryOptions({ apiKeyId, outcome: filters.outcome ?? undefined, ...page }),
    placeholderData: keepPreviousData,
    refetchInterval: page.after || page.before ? false : refreshMs,
  });
  return (
    <section aria-labelledby="requests" className="mt-10">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="requests" className="text-lg font-semibold tracking-tight">
            {t('requests')}
          </h2>
          <p className="mt-1 text-sm text-muted">{t('requestsText')}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <SelectBox
            aria-label={t('answer')}
            value={filters.outcome ?? ''}
            onChange={(event) => setFilters({ outcome: outcomes.find((one) => one === event.target.value) ?? null })}
            options={[
              { value: '', label: t('anyOutcome') },
              ...outcomes.map((outcome) => ({ value: outcome, label: t(outcome) })),
            ]}
          />
          <ExportLink list="api-requests" filters={{ apiKeyId, outcome: filters.outcome }} />
        </div>
      </div>
      <DataList
        caption={t('requests')}
        query={query}
        columns={useColumns()}
        rowKey={({ requestId }) => requestId}
        empty={
          <EmptyState icon={Activity} title={t('noRequestsTitle')}>
            {t('noRequestsText')}
          </EmptyState>
        }
        isFiltered={filters.outcome !== null}
        onClearFilters={clearFilters}
        onPage={setPage}
      />
    </section>
  );
}

const toTheSecond = { dateStyle: 'medium', timeStyle: 'medium' } as const;

function useColumns(): Column<ApiRequest>[] {
  const t = useTranslations('apiKeys');
  const format = useFormat();
  const formatter = useFormatter();
  return [
    {
      id: 'operation',
      header: t('operation'),
      cell: ({ operation }) =>
        operation ? <code className="font-mono text-sm">{operation}</code> : t('unknownOperation'),
    },
    { id: 'answer', narrow: 'aside', header: t('answer'), cell: (request) => <Answer {...request} /> },
    {
      id: 'duration',
      narrow: 'bare',
      header: t('duration'),
      align: 'end',
      cell: ({ durationMs }) => t('durationMs', { value: format.number(Math.round(durationMs * 10) / 10) }),
    },
    {
      id: 'time',
      narrow: 'bare',
      header: t('time'),
      cell: ({ createdAt }) => formatter.dateTime(new Date(createdAt), toTheSecond),
    },
    {
      id: 'requestId',
      header: t('requestId'),
      wideOnly: true,
      cell: ({ requestId }) => <code className="font-mono text-xs text-muted">{requestId}</code>,
    },
  ];
}

function Answer({ status, errorCode }: ApiRequest) {
  const tone = status >= 500 ? 'danger' : status >= 400 ? 'caution' : 'good';
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={tone}>{status}</Badge>
      {errorCode ? <code className="font-mono text-xs text-muted">{errorCode}</code> : null}
    </span>
  );
}
