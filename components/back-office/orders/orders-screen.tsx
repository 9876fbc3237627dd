'use client';

import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff, Download } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { Waiting } from '../loaded';
import { StoreChoice, StorePending, useStoreChoice } from '../store-choice';
import { useTRPC } from '../trpc';
import { Board } from './board';
import { ExportDialog } from './export-dialog';
import { useNewOrderSound } from './use-new-order-sound';

/** The orders of a store's diners, by state, as they come. */
export function OrdersScreen() {
  const t = useTranslations('orders');
  const tCommon = useTranslations('common');
  const choice = useStoreChoice();
  const [isExporting, setExporting] = useState(false);
  const sound = useNewOrderSound();
  const { store } = choice;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <Button variant="secondary" size="small" aria-pressed={sound.isOn} onClick={sound.toggle}>
              {sound.isOn ? (
                <Bell className="size-4" aria-hidden="true" />
              ) : (
                <BellOff className="size-4" aria-hidden="true" />
              )}
              {t(sound.isOn ? 'soundOn' : 'soundOff')}
            </Button>
            <Button variant="secondary" size="small" busy={!store} onClick={() => setExporting(true)}>
              <Download className="size-4" aria-hidden="true" />
              {tCommon('export')}
            </Button>
          </>
        }
      />
      <div className="mb-4 flex empty:hidden">
        <StoreChoice {...choice} />
      </div>
      {store ? <StoreBoard key={store.storeId} storeId={store.storeId} sound={sound} /> : <StorePending {...choice} />}
      {isExporting && store ? <ExportDialog store={store} onClose={() => setExporting(false)} /> : null}
    </>
  );
}

const pageSize = 20;
/** What one page of a list holds at the most. */
const mostDone = 100;

/** A hidden page gets no live updates: while its sound is on, it polls. */
const soundEveryMs = 15_000;

interface StoreBoardProps {
  storeId: string;
  sound: ReturnType<typeof useNewOrderSound>;
}

function StoreBoard({ storeId, sound }: StoreBoardProps) {
  const trpc = useTRPC();
  const [limit, setLimit] = useState(pageSize);
  const board = useQuery({
    ...trpc.orders.board.queryOptions({ storeId }),
    refetchInterval: sound.isOn && soundEveryMs,
    refetchIntervalInBackground: true,
  });
  const done = useQuery({
    ...trpc.orders.done.queryOptions({ storeId, limit }),
    placeholderData: (before) => before,
  });
  if (!board.data || !done.data) {
    const failed = [board, done].find(({ error, data }) => error && !data);
    return <Waiting error={failed?.error} refetch={() => failed?.refetch()} />;
  }
  const canShowMore = done.data.nextCursor !== null && limit < mostDone;
  return (
    <Board
      {...board.data}
      done={done.data.items}
      onMoreDone={canShowMore ? () => setLimit(limit + pageSize) : null}
      onNewOrder={sound.play}
    />
  );
}
