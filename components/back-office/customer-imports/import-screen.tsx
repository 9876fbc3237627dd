'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { PageHeader } from '../../ui/page-header';
import { ManagersOnly } from '../office/managers-only';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { ImportProgress } from './import-progress';
import { MapColumns } from './map-columns';
import { Openings } from './openings';
import { ProblemList } from './problem-list';
import type { ImportDetail } from './types';

/** One import: mapping its columns, its progress, then its skipped rows. */
export function ImportScreen({ importId }: { importId: string }) {
  return (
    <ManagersOnly>
      <Import importId={importId} />
    </ManagersOnly>
  );
}

const pollMs = 2_000;
const isAtWork = (file: ImportDetail | undefined) =>
  file?.state === 'running' || (file?.undoStartedAt != null && file.undoneAt === null);

function Import({ importId }: { importId: string }) {
  const t = useTranslations('customers');
  const { data, error, refetch } = useQuery({
    ...useTRPC().customerImports.get.queryOptions({ importId }),
    // In addition to live updates, which an idle connection may lose.
    refetchInterval: ({ state }) => (isAtWork(state.data) ? pollMs : false),
  });
  const back = { href: '/customers/import', label: t('import') };
  if (!data) {
    return (
      <>
        <PageHeader title={t('file')} back={back} />
        <Waiting error={error} refetch={refetch} />
      </>
    );
  }
  return (
    <>
      <PageHeader title={data.fileName} description={t('rowCount', { count: data.rowCount })} back={back} />
      {data.guessed ? (
        <MapColumns file={data} guessed={data.guessed} />
      ) : (
        <div className="flex flex-col gap-5">
          <ImportProgress file={data} />
          <Openings file={data} />
          {data.state === 'finished' && data.problemCount + data.warningCount > 0 ? <ProblemList file={data} /> : null}
        </div>
      )}
    </>
  );
}
