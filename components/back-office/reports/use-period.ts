import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { type Comparison, comparisons, periodInput } from '@/server/domain/reports/schemas';
import { parseAsDay } from '../lists/list-state';
import { daysOf, periods } from '../lists/periods';
import { useToday } from '../state/use-merchant-clock';

export const presets = [...periods, 'custom'] as const;
export type Preset = (typeof presets)[number];

/** Keeps the reports' period in the URL. The days of a preset move with the calendar. */
export function usePeriod() {
  const [state, setState] = useQueryStates({
    period: parseAsStringLiteral(presets).withDefault('month'),
    from: parseAsDay,
    until: parseAsDay,
    compare: parseAsStringLiteral(comparisons).withDefault('before'),
  });
  const { period: preset, compare } = state;
  const today = useToday();
  const given = { from: state.from ?? today, to: state.until ?? today };
  const days = preset === 'custom' ? given : daysOf(preset, today);
  return {
    preset,
    days,
    compare,
    /** The problem of a custom range: `order`, `length` or none. */
    problem: periodInput.safeParse(days).success
      ? null
      : days.from > days.to
        ? ('order' as const)
        : ('length' as const),
    choose: (next: Preset) =>
      void setState(
        next === 'custom'
          ? { period: next, from: days.from, until: days.to }
          : { period: next, from: null, until: null },
      ),
    setCompare: (next: Comparison) => void setState({ compare: next }),
    setDays: (range: { from?: string | null; until?: string | null }) => void setState(range),
  };
}
