'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { PageHeader } from '../../ui/page-header';
import { useFormat } from '../format';
import { useIsRole, useOffice } from '../office';
import { useTRPC } from '../trpc';
import { useMerchantClock } from '../use-merchant-clock';
import { Attention } from './attention';
import { Overview } from './overview';
import { refreshMs } from './refresh';
import { Shortcuts } from './shortcuts';

/** How today is going, and what somebody should look at. */
export function HomeScreen() {
  const t = useTranslations('home');
  const { merchant } = useOffice();
  const { fullDate } = useFormat();
  const clock = useMerchantClock();
  const seesMoney = useIsRole('owner', 'manager');
  // Asked for here: among the figures it would wait for them.
  const query = useQuery({ ...useTRPC().home.attention.queryOptions(), refetchInterval: refreshMs });
  return (
    <>
      <PageHeader title={merchant.name} description={<span suppressHydrationWarning>{fullDate(clock())}</span>} />
      <div className="flex flex-col gap-6">
        {seesMoney ? (
          <Overview attention={<Attention query={query} />} />
        ) : (
          <>
            <Attention query={query} />
            <Shortcuts title={t('shortcuts')} />
          </>
        )}
      </div>
    </>
  );
}
