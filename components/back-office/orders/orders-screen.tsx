'use client';

import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff, Download } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { useTRPC } from '../shell/trpc';
import { Waiting } from '../state/loaded';
import { Board } from './board';
import { ExportDialog } from './export-dialog';
import { useNewOrderSound } from './use-new-order-sound';

/** A store's orders by state, updated live. */
export function OrdersScreen() {
  const t = useTranslations('orders');
  const tCommon = useTranslations('common');
  const choice = useStoreChoice();
  const [isExporting, setExporting] = useState(false);
  const sound = useNewOrderSound();
  const { store } = choice;
  return (
    <div data-wide>
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
    </div>
  );
}

const pageSize = 20;
/** The maximum size of a list's page. */
const maxDone = 100;

/** A hidden page gets no live updates, so it polls while its sound is on. */
const soundPollMs = 15_000;

interface StoreBoardProps {
  storeId: string;
  sound: ReturnType<typeof useNewOrderSound>;
}

function StoreBoard({ storeId, sound }: StoreBoardProps) {
  const trpc = useTRPC();
  const [limit, setLimit] = useState(pageSize);
  const board = useQuery({
    ...trpc.orders.board.queryOptions({ storeId }),
    refetchInterval: sound.isOn && soundPollMs,
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
  const canShowMore = done.data.nextCursor !== null && limit < maxDone;
  return (
    <Board
      {...board.data}
      done={done.data.items}
      onMoreDone={canShowMore ? () => setLimit(limit + pageSize) : null}
      onNewOrder={sound.play}
    />
  );
}
