'use client';

import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff, BrushCleaning, Download, Volume2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { allStores, StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { Board } from './board';
import { ClearOldDialog } from './clear-old-dialog';
import { ExportDialog } from './export-dialog';
import { StoreNames } from './order-store';
import { useNewOrderSound } from './use-new-order-sound';

/** Orders of one store, or of all, by state; updated live. */
export function OrdersScreen() {
  const t = useTranslations('orders');
  const tCommon = useTranslations('common');
  const choice = useStoreChoice();
  const [isExporting, setExporting] = useState(false);
  const [isClearing, setClearing] = useState(false);
  const sound = useNewOrderSound();
  const { stores, store, isAll } = choice;
  const names = useMemo(() => new Map(stores.map(({ storeId, name }) => [storeId, name])), [stores]);
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
            {sound.isOn ? (
              <Button variant="quiet" size="small" onClick={sound.test}>
                <Volume2 className="size-4" aria-hidden="true" />
                {t('testSound')}
              </Button>
            ) : null}
            <Button variant="secondary" size="small" busy={!store} onClick={() => setClearing(true)}>
              <BrushCleaning className="size-4" aria-hidden="true" />
              {t('clearOld')}
            </Button>
            <Button variant="secondary" size="small" busy={!store} onClick={() => setExporting(true)}>
              <Download className="size-4" aria-hidden="true" />
              {tCommon('export')}
            </Button>
          </>
        }
      />
      <div className="mb-4 flex empty:hidden">
        <StoreChoice {...choice} hasAll />
      </div>
      {!store ? (
        <StorePending {...choice} />
      ) : isAll ? (
        <StoreNames value={names}>
          <LiveBoard key={allStores} sound={sound} />
        </StoreNames>
      ) : (
        <LiveBoard key={store.storeId} storeId={store.storeId} sound={sound} />
      )}
      {isClearing && store ? (
        <ClearOldDialog storeId={isAll ? undefined : store.storeId} onEnd={() => setClearing(false)} />
      ) : null}
      {isExporting ? <ExportDialog store={isAll ? null : store} onClose={() => setExporting(false)} /> : null}
    </div>
  );
}

const pageSize = 20;
/** The maximum size of a list's page. */
const maxDone = 100;

/** A hidden page gets no live updates, so it polls while its sound is on. */
const soundPollMs = 15_000;

interface LiveBoardProps {
  /** Undefined for all stores. */
  storeId?: string;
  sound: ReturnType<typeof useNewOrderSound>;
}

function LiveBoard({ storeId, sound }: LiveBoardProps) {
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
  const isCut = done.data.nextCursor !== null;
  return (
    <Board
      {...board.data}
      done={{ orders: done.data.items, isCut }}
      onMoreDone={isCut && limit < maxDone ? () => setLimit(limit + pageSize) : null}
      onArrival={sound.play}
    />
  );
}
