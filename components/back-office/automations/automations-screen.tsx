'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { RunNowInput } from '@/server/domain/automations';
import { automations } from '@/server/domain/automations/schemas';
import { Button } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { useChange } from '../state/use-change';
import { type Automation, RunList } from './run-list';

/** Scheduled runs send no live update. */
const refreshMs = 30_000;

/** Scheduled tasks: past runs, the next run, and a button to run now. */
export function AutomationsScreen() {
  const t = useTranslations('automations');
  const { clockAheadSeconds } = useOffice().merchant;
  const query = useQuery({ ...useTRPC().automations.list.queryOptions(), refetchInterval: refreshMs });
  return (
    <>
      <PageHeader
        title={t('title')}
        description={clockAheadSeconds > 0 ? `${t('description')} ${t('realTime')}` : t('description')}
      />
      <Loaded query={query}>
        {(all) => all.map((automation) => <AutomationSection key={automation.task} automation={automation} />)}
      </Loaded>
    </>
  );
}

function AutomationSection({ automation }: { automation: Automation }) {
  const t = useTranslations('automations');
  const { task, canRunNow, runs } = automation;
  const isInProgress = runs.some(({ state }) => state === 'queued' || state === 'running');
  return (
    <Section
      title={t(`tasks.${task}.title`)}
      description={t(`tasks.${task}.text`)}
      actions={canRunNow ? <RunNowButton task={task as RunNowInput['task']} isInProgress={isInProgress} /> : null}
    >
      <Schedule automation={automation} />
      <RunList task={task} runs={runs} />
    </Section>
  );
}

function Schedule({ automation: { task, checkedAt, nextAt } }: { automation: Automation }) {
  const t = useTranslations('automations');
  const format = useFormat();
  const minutes = automations[task];
  if (minutes === null) return null;
  return (
    <Facts
      items={[
        { term: t('lastCheck', { minutes }), value: checkedAt ? format.dateTime(checkedAt) : t('notYet') },
        { term: t('nextCheck'), value: nextAt ? format.dateTime(nextAt) : null },
      ]}
    />
  );
}

function RunNowButton({ task, isInProgress }: { task: RunNowInput['task']; isInProgress: boolean }) {
  const t = useTranslations('automations');
  const { settle } = useChange('automations');
  const run = useMutation(useTRPC().automations.runNow.mutationOptions(settle));
  return (
    <Button
      variant="secondary"
      size="small"
      busy={run.isPending || isInProgress}
      aria-label={t('runNowOf', { task: t(`tasks.${task}.title`) })}
      onClick={() => run.mutate({ task })}
    >
      {t('runNow')}
    </Button>
  );
}
