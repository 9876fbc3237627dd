'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { type Column, DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';
import { NewEndpointDialog } from './endpoint-dialogs';
import { type Endpoint, EndpointState, shortUrl } from './endpoint-facts';
import { RecordingSetting } from './recording-setting';

/** The endpoints to which events are sent. */
export function WebhooksScreen() {
  const t = useTranslations('webhooks');
  const query = useQuery(useTRPC().webhooks.list.queryOptions());
  const columns = useColumns();
  const [isCreating, setIsCreating] = useState(false);
  const add = (
    <Button onClick={() => setIsCreating(true)}>
      <Plus className="size-4" aria-hidden="true" />
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={add} />
      <Loaded query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <EmptyState icon={Webhook} title={t('emptyTitle')}>
              {t('emptyText')}
            </EmptyState>
          ) : (
            <DataTable
              caption={t('title')}
              columns={columns}
              rows={endpoints}
              rowKey={({ endpointId }) => endpointId}
              rowHref={({ endpointId }) => `/webhooks/${endpointId}`}
            />
          )
        }
      </Loaded>
      <RecordingSetting />
      {isCreating ? <NewEndpointDialog onClose={() => setIsCreating(false)} /> : null}
    </>
  );
}

function useColumns(): Column<Endpoint>[] {
  const t = useTranslations('webhooks');
  return [
    { id: 'url', header: t('url'), cell: ({ url }) => <span className="wrap-anywhere">{shortUrl(url)}</span> },
    { id: 'description', narrow: 'bare', header: t('note'), cell: ({ description }) => description },
    {
      id: 'events',
      narrow: 'bare',
      header: t('events'),
      cell: ({ eventTypes }) => (eventTypes ? t('eventCount', { count: eventTypes.length }) : t('allEvents')),
    },
    { id: 'state', narrow: 'aside', header: t('state'), cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  ];
}
