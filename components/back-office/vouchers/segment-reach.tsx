'use client';

import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button';
import { type SegmentCount, useSegmentCount } from './use-segment-count';

/** Counts the customers in the segment of a form, on demand. */
export function SegmentReach({ draft }: { draft: unknown }) {
  const t = useTranslations('vouchers');
  const { count, start } = useSegmentCount(draft);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" size="small" busy={count?.isDone === false} onClick={() => void start()}>
        {t('countCustomers')}
      </Button>
      <ReachText count={count} />
    </div>
  );
}

export function ReachText({ count }: { count: SegmentCount | null }) {
  const t = useTranslations('vouchers');
  return (
    <p role="status" className="text-sm font-medium tabular-nums empty:hidden">
      {count === null
        ? null
        : count.isDone
          ? t('reaches', { count: count.customers })
          : t('counting', { count: count.customers })}
    </p>
  );
}
