'use client';

import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import { useFormat } from '../state/format';
import { useMinutesSince } from './use-minutes-since';

interface WaitingTimeProps {
  placedAt: string;
  lateOrderMinutes: number;
}

/** When an order was placed, and how long it has waited. It is marked in words and colour once it is late, and again after twice as long. */
export function WaitingTime({ placedAt, lateOrderMinutes }: WaitingTimeProps) {
  const t = useTranslations('orders');
  const format = useFormat();
  const count = useMinutesSince(placedAt);
  const isVeryLate = count >= 2 * lateOrderMinutes;
  return (
    <time
      dateTime={placedAt}
      title={t('placedAt', { time: format.time(placedAt) })}
      className="flex shrink-0 flex-wrap items-center gap-x-2 text-sm text-muted tabular-nums"
    >
      <span>{format.time(placedAt)}</span>{' '}
      {count < lateOrderMinutes ? (
        t('minutes', { count })
      ) : (
        <Badge tone={isVeryLate ? 'danger' : 'caution'}>{t(isVeryLate ? 'veryLate' : 'late', { count })}</Badge>
      )}
    </time>
  );
}
