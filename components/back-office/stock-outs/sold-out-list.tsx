'use client';

import { CalendarClock, Infinity as InfinityIcon, Undo2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { Section } from '../../ui/section';
import { useFormat } from '../state/format';
import type { SoldOut, useStockOuts } from './use-stock-outs';

interface SoldOutListProps {
  items: SoldOut[];
  isMore: boolean;
  onMark: ReturnType<typeof useStockOuts>['mark'];
  onRestore: ReturnType<typeof useStockOuts>['restore'];
}

/** Sold-out items by category, in menu order; those not on the menu come last. */
export function SoldOutList({ items, isMore, onMark, onRestore }: SoldOutListProps) {
  const t = useTranslations('stockOuts');
  const groups = new Map<string | null, SoldOut[]>();
  for (const item of items) groups.set(item.categoryId, [...(groups.get(item.categoryId) ?? []), item]);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-muted">
          {isMore ? t('more', { count: items.length }) : t('count', { count: items.length })}
        </p>
        {items.length > 1 ? (
          <Button variant="secondary" size="small" onClick={() => void onRestore(items)}>
            {t('restoreAll')}
          </Button>
        ) : null}
      </div>
      {[...groups].map(([categoryId, ofCategory]) => (
        <Section
          key={categoryId}
          title={ofCategory[0]?.categoryName ?? t('unknown')}
          description={categoryId === null ? t('unknownText') : undefined}
        >
          <ul className="-mb-3">
            {ofCategory.map((item) => (
              <SoldOutRow key={`${item.storeId} ${item.plu}`} item={item} onMark={onMark} onRestore={onRestore} />
            ))}
          </ul>
        </Section>
      ))}
    </div>
  );
}

type SoldOutRowProps = Omit<SoldOutListProps, 'items' | 'isMore'> & { item: SoldOut };

function SoldOutRow({ item, onMark, onRestore }: SoldOutRowProps) {
  const t = useTranslations();
  const { dateTime } = useFormat();
  const { storeId, storeName, plu, name, until, tomorrow, markedAt, markedBy, markedAtTill } = item;
  const label = name ?? plu;
  const by =
    markedBy === null ? t('common.unknown') : markedAtTill ? t('stockOuts.till', { name: markedBy }) : markedBy;
  const isTimed = until !== null;
  return (
    <li className="grid items-center gap-x-5 gap-y-2 border-t border-line py-3 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,4fr)_auto]">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{label}</p>
        {name === null ? null : <p className="text-sm text-muted wrap-anywhere">{plu}</p>}
      </div>
      <p className="min-w-0 text-sm wrap-anywhere">{storeName}</p>
      <div className="min-w-0 text-sm">
        <p>{isTimed ? t('stockOuts.until', { time: dateTime(until) }) : t('stockOuts.untilRestored')}</p>
        <p className="text-muted wrap-anywhere">{t('stockOuts.markedBy', { name: by, time: dateTime(markedAt) })}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="quiet"
          size="small"
          aria-label={t(isTimed ? 'stockOuts.keepItem' : 'stockOuts.tomorrowItem', { name: label, store: storeName })}
          title={isTimed ? undefined : t('stockOuts.until', { time: dateTime(tomorrow) })}
          onClick={() => void onMark([{ storeId, plu, until: isTimed ? null : 'tomorrow' }])}
        >
          {isTimed ? (
            <InfinityIcon className="size-4" aria-hidden="true" />
          ) : (
            <CalendarClock className="size-4" aria-hidden="true" />
          )}
          {t(isTimed ? 'stockOuts.keep' : 'stockOuts.tomorrow')}
        </Button>
        <Button
          variant="secondary"
          size="small"
          aria-label={t('stockOuts.restoreItem', { name: label, store: storeName })}
          onClick={() => void onRestore([item])}
        >
          <Undo2 className="size-4" aria-hidden="true" />
          {t('stockOuts.restore')}
        </Button>
      </div>
    </li>
  );
}
