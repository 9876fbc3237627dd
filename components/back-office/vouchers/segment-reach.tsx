'use client';

import { useTranslations } from 'next-intl';
import { type SegmentCount, useSegmentCount } from './use-segment-count';

/** How many customers the segment of a form reaches now. */
export const SegmentReach = ({ draft }: { draft: unknown }) => <ReachText count={useSegmentCount(draft).count} />;

export function ReachText({ count }: { count: SegmentCount | null }) {
  const t = useTranslations('vouchers');
  return (
    <p role="status" className="rounded-xl bg-tint px-4 py-3 text-sm font-medium tabular-nums empty:hidden">
      {count === null
        ? null
        : count.isDone
          ? t('reachesOf', { count: count.customers, all: count.lookedAt })
          : t('counting', { count: count.customers })}
    </p>
  );
}
