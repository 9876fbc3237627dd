'use client';

import { useQuery } from '@tanstack/react-query';
import { PageHeader } from '../../ui/page-header';
import { useIsRole, useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useMerchantClock } from '../state/use-merchant-clock';
import { Attention } from './attention';
import { Overview } from './overview';
import { refreshMs } from './refresh';
import { Shortcuts } from './shortcuts';

/** Today's figures, and what needs attention. */
export function HomeScreen() {
  const { merchant } = useOffice();
  const { fullDate } = useFormat();
  const clock = useMerchantClock();
  const seesMoney = useIsRole('owner', 'manager');
  // Fetched here, because inside the overview it would wait for the figures.
  const query = useQuery({ ...useTRPC().home.attention.queryOptions(), refetchInterval: refreshMs });
  return (
    <>
      <PageHeader title={merchant.name} description={<span suppressHydrationWarning>{fullDate(clock())}</span>} />
      <div className="flex flex-col gap-6">
        {seesMoney ? (
          <Overview attention={<Attention query={query} />} />
        ) : (
          <>
            <Shortcuts />
            <Attention query={query} />
          </>
        )}
      </div>
    </>
  );
}
