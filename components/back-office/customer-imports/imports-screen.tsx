'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Badge, type Tone } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { BringBusiness } from '../fields/bring-business';
import { DataList } from '../lists/data-list';
import { useListState } from '../lists/list-state';
import { ManagersOnly } from '../office/managers-only';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { FileDrop } from './file-drop';
import type { ListedImport } from './types';
import { useUpload } from './use-upload';

export function ImportsScreen() {
  const t = useTranslations('customers');
  return (
    <ManagersOnly>
      <PageHeader title={t('import')} description={t('importText')} back={{ href: '/customers', label: t('title') }} />
      <NewImport />
      <h2 className="mt-8 mb-4 text-lg font-semibold tracking-tight">{t('imports')}</h2>
      <ImportList />
    </ManagersOnly>
  );
}

function NewImport() {
  const router = useRouter();
  const upload = useUpload((importId) => router.push(`/customers/import/${importId}`));
  return (
    <>
      <FileDrop isBusy={upload.isPending} onFile={(file) => upload.mutate({ file })} />
      <BringBusiness />
    </>
  );
}

function ImportList() {
  const t = useTranslations('customers');
  const { page, setPage } = useListState({});
  const query = useQuery({
    ...useTRPC().customerImports.list.queryOptions(page),
    placeholderData: keepPreviousData,
  });
  return (
    <DataList
      caption={t('imports')}
      query={query}
      columns={useColumns()}
      rowKey={({ importId }) => importId}
      rowHref={({ importId }) => `/customers/import/${importId}`}
      empty={
        <EmptyState icon={FileUp} title={t('noImportsTitle')}>
          {t('noImportsText')}
        </EmptyState>
      }
      isFiltered={false}
      onPage={setPage}
    />
  );
}

const tones: Record<ListedImport['state'], Tone> = { ready: 'neutral', running: 'caution', finished: 'good' };

function useColumns(): Column<ListedImport>[] {
  const t = useTranslations('customers');
  const { number, dateTime } = useFormat();
  return [
    { id: 'file', header: t('file'), cell: ({ fileName }) => fileName },
    {
      id: 'state',
      narrow: 'aside',
      header: t('state'),
      cell: ({ state }) => <Badge tone={tones[state]}>{t(`importState.${state}`)}</Badge>,
    },
    { id: 'rows', header: t('rows'), align: 'end', cell: ({ rowCount }) => number(rowCount) },
    { id: 'enrolled', header: t('enrolledCount'), align: 'end', cell: ({ enrolledCount }) => number(enrolledCount) },
    { id: 'problems', header: t('problemCount'), align: 'end', cell: ({ problemCount }) => number(problemCount) },
    { id: 'by', header: t('by'), wideOnly: true, cell: ({ by }) => by },
    {
      id: 'time',
      narrow: 'bare',
      header: t('time'),
      cell: ({ createdAt }) => <span className="sm:whitespace-nowrap">{dateTime(createdAt)}</span>,
    },
  ];
}
