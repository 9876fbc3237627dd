'use client';

import { useQuery } from '@tanstack/react-query';
import { FileX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { LoadError } from '../load-error';
import { ManagersOnly } from '../managers-only';
import { asRefusal } from '../refusal';
import { useTRPC } from '../trpc';
import { ImportProgress } from './import-progress';
import { MapColumns } from './map-columns';
import { ProblemList } from './problem-list';

/** One file: its columns are chosen, then it runs, then it tells what was left out. */
export function ImportScreen({ importId }: { importId: string }) {
  return (
    <ManagersOnly>
      <Import importId={importId} />
    </ManagersOnly>
  );
}

const pollMs = 2_000;

function Import({ importId }: { importId: string }) {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const { data, error, refetch } = useQuery({
    ...useTRPC().customerImports.get.queryOptions({ importId }),
    // Beside the live updates, which an idle connection may lose.
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs : false),
  });
  const back = { href: '/customers/import', label: t('import') };
  if (!data) {
    if (asRefusal(error)?.data?.code === 'NOT_FOUND')
      return <EmptyState icon={FileX} title={tCommon('noneFoundTitle')} />;
    if (error) return <LoadError error={error} onRetry={refetch} />;
    return <Skeleton label={tCommon('loading')} className="h-96" />;
  }
  return (
    <>
      <PageHeader title={data.fileName} description={t('rowCount', { count: data.rowCount })} back={back} />
      {data.guessed ? (
        <MapColumns file={data} guessed={data.guessed} />
      ) : (
        <div className="flex flex-col gap-5">
          <ImportProgress file={data} />
          {data.state === 'finished' && data.problemCount > 0 ? <ProblemList importId={importId} /> : null}
        </div>
      )}
    </>
  );
}
