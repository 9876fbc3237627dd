import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/button';
import { useTRPC } from '../office/trpc';
import { TakingsByDay } from '../reports/takings';
import { Loaded } from '../state/loaded';
import { Outstanding } from './outstanding';
import { refreshMs } from './refresh';
import { TodayFigures } from './today-figures';

/** The figures for owners and managers, with the items that need attention between them. */
export function Overview({ attention }: { attention: ReactNode }) {
  const t = useTranslations('home');
  const query = useQuery({ ...useTRPC().home.figures.queryOptions(), refetchInterval: refreshMs });
  return (
    <Loaded query={query}>
      {({ today, lastWeek, outstanding, days, isConnected }) => (
        <>
          {isConnected ? null : <ConnectHint />}
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

/** Shown until the first till has sent a request. */
function ConnectHint() {
  const t = useTranslations('home');
  return (
    <section aria-labelledby="connect" className="flex flex-wrap items-center gap-4 rounded-2xl bg-tint p-5 sm:p-6">
      <div className="min-w-0 grow">
        <h2 id="connect" className="text-lg font-semibold tracking-tight">
          {t('connectTitle')}
        </h2>
        <p className="mt-1 max-w-2xl leading-relaxed">{t('connectText')}</p>
      </div>
      <ButtonLink href="/docs" variant="secondary">
        {t('connectAction')}
      </ButtonLink>
    </section>
  );
}
