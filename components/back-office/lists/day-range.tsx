'use client';

import { useTranslations } from 'next-intl';
import { inputLook } from '@/components/ui/field';

interface DayRangeProps {
  /** `YYYY-MM-DD`, or null. */
  from: string | null;
  until: string | null;
  onChange: (days: { from?: string | null; until?: string | null }) => void;
}

/** Filters a list by a range of days, both included. */
export function DayRange({ from, until, onChange }: DayRangeProps) {
  const t = useTranslations('common');
  const days = { from, until };
  return (
    <div className="grid grow grid-cols-2 gap-2 max-sm:col-span-2 sm:flex sm:grow-0 sm:gap-3">
      {(['from', 'until'] as const).map((end) => (
        <label
          key={end}
          className="flex items-center gap-2 text-sm text-muted max-sm:flex-col max-sm:items-start max-sm:gap-1"
        >
          {t(end)}
          <input
            type="date"
            value={days[end] ?? ''}
            min={end === 'until' ? (from ?? undefined) : undefined}
            max={end === 'from' ? (until ?? undefined) : undefined}
            onChange={(event) => onChange({ [end]: event.target.value || null })}
            className={inputLook(false)}
          />
        </label>
      ))}
    </div>
  );
}
