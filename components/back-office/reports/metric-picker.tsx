import { useTranslations } from 'next-intl';
import { classNames } from '../../ui/class-names';

/** The metrics and the keys of their names. */
const metrics = { sales: 'sales', topUps: 'topUps', redemptions: 'redeemed' } as const;
export type Metric = keyof typeof metrics;
const order: Metric[] = ['sales', 'topUps', 'redemptions'];

interface MetricPickerProps {
  value: Metric;
  onChange: (metric: Metric) => void;
}

/** Chooses the metric of the chart. */
export function MetricPicker({ value, onChange }: MetricPickerProps) {
  const t = useTranslations('reports');
  return (
    <fieldset className="flex gap-1 rounded-xl bg-tint p-1">
      <legend className="sr-only">{t('inChart')}</legend>
      {order.map((metric) => (
        <button
          key={metric}
          type="button"
          aria-pressed={metric === value}
          onClick={() => onChange(metric)}
          className={classNames(
            'min-h-8 rounded-lg px-3 text-sm font-medium whitespace-nowrap transition-colors',
            metric === value ? 'bg-surface text-ink shadow-sm' : 'text-muted hover:text-ink',
          )}
        >
          {t(metrics[metric])}
        </button>
      ))}
    </fieldset>
  );
}
