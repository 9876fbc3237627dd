import { Minus, TrendingDown, TrendingUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { periodBefore } from '@/server/domain/reports/rules';
import type { Period } from '@/server/domain/reports/schemas';
import { useFormat } from '../state/format';

interface ChangeProps {
  now: number;
  before: number;
  /** Shown if there is nothing to compare with. */
  nothingBefore?: string;
}

/** The change of a figure in percent. */
export function Change({ now, before, nothingBefore }: ChangeProps) {
  const t = useTranslations('reports');
  const { percent } = useFormat();
  if (before <= 0) return <span className="block">{nothingBefore ?? t('change.none')}</span>;
  const basisPoints = Math.round(((now - before) / before) * 100) * 100;
  const { Icon, color, text } =
    basisPoints < 0
      ? { Icon: TrendingDown, color: 'text-danger', text: t('change.less', { change: percent(-basisPoints) }) }
      : basisPoints > 0
        ? { Icon: TrendingUp, color: 'text-accent', text: t('change.more', { change: percent(basisPoints) }) }
        : { Icon: Minus, color: '', text: t('change.same') };
  return (
    <span className={`flex items-center gap-1.5 ${color}`}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {text}
    </span>
  );
}

/** Says which days a report's figures are compared with, and when they were current. */
export function ComparedWith({ asOf, ...period }: Period & { asOf: string | null }) {
  const t = useTranslations('reports');
  const { calendarDate } = useFormat();
  const before = periodBefore(period);
  return (
    <p className="-mt-2 mb-3 flex flex-wrap gap-x-4 text-sm text-muted">
      <span>{t('comparedWith', { from: calendarDate(before.from), to: calendarDate(before.to) })}</span>
      {asOf === null ? null : <AsOf at={asOf} />}
    </p>
  );
}

/** Says when the figures were current, if they may be a little old. */
export function AsOf({ at }: { at: string }) {
  const t = useTranslations('reports');
  const { timeInSeconds } = useFormat();
  return <span className="tabular-nums">{t('figuresAsOf', { time: timeInSeconds(at) })}</span>;
}
