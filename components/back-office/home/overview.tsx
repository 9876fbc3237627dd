import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useTRPC } from '../office/trpc';
import { TakingsByDay } from '../reports/takings';
import { Loaded } from '../state/loaded';
import { FirstSteps } from './first-steps';
import { Outstanding } from './outstanding';
import { refreshMs } from './refresh';
import { TodayFigures } from './today-figures';

/** The figures for owners and managers, with the items that need attention between them. */
export function Overview({ attention }: { attention: ReactNode }) {
  const t = useTranslations('home');
  const query = useQuery({ ...useTRPC().home.figures.queryOptions(), refetchInterval: refreshMs });
  return (
    <Loaded query={query}>
      {({ today, lastWeek, outstanding, days, firstSteps }) => (
        <>
          {firstSteps ? <FirstSteps steps={firstSteps} /> : null}
          <TodayFigures today={today} lastWeek={lastWeek} />
          <div className={outstanding ? 'grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]' : 'grid gap-5'}>
            {outstanding ? <Outstanding {...outstanding} /> : null}
            {attention}
          </div>
          <TakingsByDay title={t('month')} days={days} />
        </>
      )}
    </Loaded>
  );
}
