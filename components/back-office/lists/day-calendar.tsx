'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { type DateRange, DayPicker, type Formatters, type Labels } from 'react-day-picker';
import { iconButtonLook } from '../../ui/icon-button';

/** Both as `YYYY-MM-DD`; null if the range is open. */
export interface Days {
  from: string | null;
  until: string | null;
}

interface RangeCalendarProps {
  days: Days;
  /** The last day that can be chosen. */
  today: string;
  onChange: (days: Days) => void;
}

const chosenDayLook = '[&>button]:bg-accent [&>button]:font-semibold [&>button]:text-on-accent';

const look = {
  month: 'grid grid-cols-[2.5rem_1fr_2.5rem] items-center',
  button_previous: iconButtonLook,
  button_next: iconButtonLook,
  chevron: 'size-4 fill-current',
  dropdowns: 'flex justify-center gap-1 font-medium',
  dropdown_root: 'relative rounded-lg hover:bg-tint has-focus-visible:outline-2 has-focus-visible:outline-accent',
  dropdown: 'absolute inset-0 w-full cursor-pointer opacity-0',
  caption_label: 'flex min-h-10 items-center gap-1 px-2',
  month_grid: 'col-span-3 mt-2 border-collapse tabular-nums',
  weekday: 'h-8 w-10 text-center text-xs font-normal text-muted',
  day: 'size-10 p-0 text-center text-sm',
  day_button: 'size-10 rounded-lg not-disabled:cursor-pointer not-disabled:hover:ring-1 not-disabled:hover:ring-edge',
  disabled: 'text-muted opacity-50',
  outside: 'invisible',
  today: 'font-bold underline underline-offset-4',
  selected: 'bg-tint font-semibold first:rounded-l-lg last:rounded-r-lg',
  range_start: 'rounded-l-lg [&>button]:bg-accent [&>button]:text-on-accent',
  range_end: 'rounded-r-lg [&>button]:bg-accent [&>button]:text-on-accent',
};

/** Days are dates without a time. They are in UTC throughout, so that no clock can move a day. */
const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date) => date.toISOString().slice(0, 10);

/** A month in which a first and a last day are chosen. */
export function RangeCalendar({ days: { from, until }, today, onChange }: RangeCalendarProps) {
  const selected = { from: from ? toDate(from) : undefined, to: until ? toDate(until) : undefined };
  const select = (range: DateRange | undefined) =>
    onChange({ from: range?.from ? toDay(range.from) : null, until: range?.to ? toDay(range.to) : null });
  return (
    <DayPicker
      {...useCalendar(today)}
      mode="range"
      required
      resetOnSelect
      selected={selected}
      onSelect={select}
      defaultMonth={selected.to ?? selected.from ?? toDate(today)}
      classNames={look}
    />
  );
}

interface OneDayCalendarProps {
  day: string;
  /** The last day that can be chosen. */
  today: string;
  onChange: (day: string) => void;
}

/** A month in which one day is chosen. */
export function OneDayCalendar({ day, today, onChange }: OneDayCalendarProps) {
  return (
    <DayPicker
      {...useCalendar(today)}
      mode="single"
      required
      selected={toDate(day)}
      onSelect={(date) => onChange(toDay(date))}
      defaultMonth={toDate(day)}
      classNames={{ ...look, selected: chosenDayLook }}
    />
  );
}

/** Shared by the calendars: days up to today, in the reader's language and with the week of their locale. */
function useCalendar(today: string) {
  const locale = useLocale();
  const last = toDate(today);
  return {
    ...useWords(),
    autoFocus: true,
    timeZone: 'UTC',
    today: last,
    startMonth: new Date(Date.UTC(last.getUTCFullYear() - 10, 0)),
    endMonth: last,
    disabled: { after: last },
    navLayout: 'around',
    captionLayout: 'dropdown',
    lang: locale,
    locale: { code: locale.startsWith('zh') ? 'zh-CN' : locale },
    weekStartsOn: weekStartOf(locale),
  } as const;
}

/** Returns the locale's first day of the week, 0 for Sunday. */
function weekStartOf(locale: string) {
  // Browsers have the method, the older property, or neither of them.
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => Week; weekInfo?: Week };
  const { firstDay } = known.getWeekInfo?.() ?? known.weekInfo ?? { firstDay: 1 };
  return (firstDay % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6;
}

interface Week {
  /** 1 for Monday, 7 for Sunday. */
  firstDay: number;
}

function useWords(): { formatters: Partial<Formatters>; labels: Partial<Labels> } {
  const t = useTranslations('common.calendar');
  const locale = useLocale();
  return useMemo(() => {
    const printed = (options: Intl.DateTimeFormatOptions) => {
      const { format } = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
      return (date: Date) => format(date);
    };
    const month = printed({ month: 'long', year: 'numeric' });
    const fullDay = printed({ dateStyle: 'full' });
    return {
      formatters: {
        formatCaption: month,
        formatMonthDropdown: printed({ month: 'long' }),
        formatYearDropdown: printed({ year: 'numeric' }),
        formatWeekdayName: printed({ weekday: 'short' }),
      },
      labels: {
        labelGrid: month,
        labelWeekday: printed({ weekday: 'long' }),
        labelPrevious: () => t('previousMonth'),
        labelNext: () => t('nextMonth'),
        labelMonthDropdown: () => t('month'),
        labelYearDropdown: () => t('year'),
        labelDayButton: (date, { today, selected, range_start: isFirst, range_end: isLast }) =>
          [
            fullDay(date),
            today && t('today'),
            isFirst && t('firstDay'),
            isLast && t('lastDay'),
            selected && !isFirst && !isLast && t('selected'),
          ]
            .filter(Boolean)
            .join(', '),
      },
    };
  }, [t, locale]);
}
