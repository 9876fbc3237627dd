import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge, type Tone } from '../../ui/badge';
import { type Column, DataTable } from '../../ui/data-table';
import { useFormat } from '../state/format';

export type Automation = inferRouterOutputs<StaffRouter>['automations']['list'][number];
type Run = Automation['runs'][number];

const tones: Record<Run['state'], Tone> = {
  queued: 'neutral',
  running: 'neutral',
  finished: 'good',
  failed: 'danger',
  stopped: 'caution',
};

/** An automation's runs of the last 30 days, newest first. */
export function RunList({ task, runs }: { task: Automation['task']; runs: Run[] }) {
  const t = useTranslations('automations');
  const format = useFormat();
  if (runs.length === 0) return <p className="mt-3 text-sm text-muted">{t('noRuns')}</p>;
  const columns: Column<Run>[] = [
    {
      id: 'started',
      header: t('started'),
      cell: ({ startedAt }) =>
        startedAt ? <span className="sm:whitespace-nowrap">{format.dateTime(startedAt)}</span> : t('waiting'),
    },
    {
      id: 'state',
      header: t('state'),
      narrow: 'aside',
      cell: ({ state }) => <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>,
    },
    { id: 'done', header: t('done'), cell: ({ done }) => t(`tasks.${task}.done`, { count: done }) },
    { id: 'by', header: t('by'), cell: ({ requestedBy }) => requestedBy ?? t('schedule') },
    {
      id: 'problem',
      header: t('problem'),
      cell: ({ error, failures }) => (error ? t(`problems.${error}`, { failures }) : '–'),
    },
  ];
  return (
    <div className="mt-4">
      <DataTable caption={t(`tasks.${task}.title`)} columns={columns} rows={runs} rowKey={({ runId }) => runId} />
    </div>
  );
}
