'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { type Segment, segment as segmentSchema } from '@/server/domain/vouchers/campaign-schemas';
import { Button } from '../../ui/button';
import { useToast } from '../../ui/toast';
import { useRefusalText } from '../refusal';
import { useSegmentCount } from './use-segment-count';

interface SegmentReachProps {
  /** As it stands in a form. */
  draft: unknown;
  /** The count once it is there; null while it is not. */
  onCount?: (customers: number | null) => void;
}

/** Counts whom a segment reaches, where it is asked to; a change of the segment takes the count away. */
export function SegmentReach({ draft, onCount }: SegmentReachProps) {
  const t = useTranslations('vouchers');
  const toast = useToast();
  const refusalText = useRefusalText();
  const { count, start, forget } = useSegmentCount();
  const { success, data } = segmentSchema.safeParse(draft);
  const key = JSON.stringify(draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another segment is another count
  useEffect(forget, [key, forget]);
  const known = count?.isDone ? count.customers : null;
  useEffect(() => onCount?.(known), [known, onCount]);

  const ask = (segment: Segment) =>
    start(segment).catch((error) => {
      forget();
      toast.failed(refusalText(error));
    });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        variant="secondary"
        size="small"
        busy={!success || count?.isDone === false}
        onClick={() => data && void ask(data)}
      >
        {t('countCustomers')}
      </Button>
      <p role="status" className="text-sm font-medium tabular-nums">
        {count === null
          ? null
          : count.isDone
            ? t('reaches', { count: count.customers })
            : t('counting', { count: count.customers })}
      </p>
    </div>
  );
}
