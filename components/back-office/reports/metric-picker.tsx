import { useTranslations } from 'next-intl';
import { classNames } from '../../ui/class-names';

const metrics = ['sales', 'topUps', 'redemptions'] as const;
export type Metric = (typeof metrics)[number];

interface MetricPickerProps {
  value: Metric;
  onChange: (metric: Metric) => void;
}

/** Chooses the metric of the chart. */
export function MetricPicker({ value, onChange }: MetricPickerProps) {
  const t = useTranslations('reports');
  const figures = useTranslations('figures');
  return (
    <fieldset className="flex flex-wrap gap-1 rounded-xl bg-tint p-1">
      <legend className="sr-only">{t('inChart')}</legend>
      {metrics.map((metric) => (
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
          {figures(`${metric}.name`)}
        </button>
      ))}
    </fieldset>
  );
}
