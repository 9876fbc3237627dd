'use client';

import { Popover } from '@base-ui/react/popover';
import { CalendarDays } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { inputLook } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { useFormat } from '../state/format';
import { useToday } from '../state/use-merchant-clock';
import type { Days } from './day-calendar';

function CalendarLoading() {
  return <Skeleton label={useTranslations('common')('loading')} className="h-80" />;
}

// The calendars are loaded when one is first opened. The compiler reads these options, so each call has to repeat them.
const RangeCalendar = dynamic(() => import('./day-calendar').then((module) => module.RangeCalendar), {
  ssr: false,
  loading: CalendarLoading,
});
const OneDayCalendar = dynamic(() => import('./day-calendar').then((module) => module.OneDayCalendar), {
  ssr: false,
  loading: CalendarLoading,
});

interface DayRangeProps extends Days {
  /** True if staff have just asked for a range of days. */
  startsOpen?: boolean;
  onChange: (days: Days) => void;
}

/** A range of days up to today, both included. */
export function DayRange({ from, until, startsOpen = false, onChange }: DayRangeProps) {
  const t = useTranslations('common.calendar');
  const [isOpen, setOpen] = useState(startsOpen);
  const rangeText = useRangeText();
  return (
    <CalendarButton
      label={t('days')}
      text={from || until ? rangeText({ from, until }) : t('chooseDays')}
      isOpen={isOpen}
      onOpen={setOpen}
    >
      <Choice
        chosen={{ from, until }}
        onChoose={(days) => {
          setOpen(false);
          onChange(days);
        }}
      />
    </CalendarButton>
  );
}

interface OneDayProps {
  label: string;
  day: string;
  onChange: (day: string) => void;
}

/** One day, until today. */
export function OneDay({ label, day, onChange }: OneDayProps) {
  const [isOpen, setOpen] = useState(false);
  const today = useToday();
  const { calendarDate } = useFormat();
  return (
    <CalendarButton label={label} text={calendarDate(day)} isOpen={isOpen} onOpen={setOpen}>
      <OneDayCalendar
        day={day}
        today={today}
        onChange={(chosen) => {
          setOpen(false);
          onChange(chosen);
        }}
      />
    </CalendarButton>
  );
}

interface CalendarButtonProps {
  /** For screen readers, before the text. */
  label: string;
  text: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  children: ReactNode;
}

function CalendarButton({ label, text, isOpen, onOpen, children }: CalendarButtonProps) {
  const t = useTranslations('common.calendar');
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpen}>
      <Popover.Trigger
        className={classNames(
          inputLook(false),
          'flex cursor-pointer items-center gap-2 text-left max-sm:col-span-2 sm:min-h-10 sm:w-auto sm:text-sm',
        )}
      >
        <CalendarDays className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <span className="sr-only">{label}</span>
        {text}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" collisionPadding={12} className="z-50">
          <Popover.Popup className="w-78 rounded-xl border border-line bg-surface p-3.5 text-ink shadow-xl outline-none">
            <Popover.Title className="sr-only">{t('chooseDays')}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The range is applied as a whole. A single day is a range, too. */
function Choice({ chosen, onChoose }: { chosen: Days; onChoose: (days: Days) => void }) {
  const t = useTranslations('common.calendar');
  const today = useToday();
  const rangeText = useRangeText();
  const [days, setDays] = useState(chosen);
  const { from, until } = days;
  const isHalf = from !== null && until === null && days !== chosen;
  return (
    <>
      <RangeCalendar days={days} today={today} onChange={setDays} />
      <div className="mt-3 flex items-center justify-between gap-3 border-t border-line pt-3">
        <p role="status" className="text-sm text-muted">
          {isHalf ? t('chooseLastDay') : from || until ? rangeText(days) : t('chooseFirstDay')}
        </p>
        <Button size="small" onClick={() => onChoose(isHalf ? { from, until: from } : days)}>
          {t('apply')}
        </Button>
      </div>
    </>
  );
}

function useRangeText() {
  const t = useTranslations('common.calendar');
  const { calendarDate } = useFormat();
  return ({ from, until }: Days) => {
    if (from && from === until) return calendarDate(from);
    if (from && until) return t('range', { from: calendarDate(from), until: calendarDate(until) });
    return from ? t('since', { day: calendarDate(from) }) : until ? t('upTo', { day: calendarDate(until) }) : '';
  };
}
