import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { SelectBox } from '../../ui/select';
import { useToday } from '../state/use-merchant-clock';
import type { Days } from './day-calendar';
import { DayRange } from './day-range';
import { daysOf, periods } from './periods';

interface PeriodFilterProps extends Days {
  /** Default: period. */
  label?: string;
  onChange: (days: Days) => void;
}

/** Filters a list by a usual period, or by a range of days, both included. */
export function PeriodFilter({ label, from, until, onChange }: PeriodFilterProps) {
  const t = useTranslations('reports');
  const tCommon = useTranslations('common');
  const today = useToday();
  const [isCustom, setCustom] = useState(false);
  const isNone = from === null && until === null;
  const known = periods.find((period) => {
    const days = daysOf(period, today);
    return days.from === from && days.to === until;
  });
  const value = isCustom ? 'custom' : isNone ? '' : (known ?? 'custom');
  function choose(next: string): void {
    const period = periods.find((one) => one === next);
    setCustom(next === 'custom');
    if (period) {
      const { from: first, to: last } = daysOf(period, today);
      onChange({ from: first, until: last });
    } else if (next === '') onChange({ from: null, until: null });
  }
  return (
    <>
      <SelectBox
        aria-label={label ?? t('period')}
        value={value}
        onChange={({ target }) => choose(target.value)}
        options={[
          { value: '', label: tCommon('anyTime') },
          ...[...periods, 'custom' as const].map((one) => ({ value: one, label: t(`presets.${one}`) })),
        ]}
      />
      {value === 'custom' ? <DayRange from={from} until={until} startsOpen={isCustom} onChange={onChange} /> : null}
    </>
  );
}
