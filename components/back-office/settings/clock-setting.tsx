'use client';

import { tz } from '@date-fns/tz';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { addDays, addMonths, addWeeks } from 'date-fns';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { addToDate } from '@/server/domain/kernel/calendar';
import { maxAheadSeconds } from '@/server/domain/merchants/schemas';
import { Button, ButtonLink } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Field } from '../../ui/field';
import { useToast } from '../../ui/toast';
import { useOffice } from '../shell/office';
import { useTRPC } from '../shell/trpc';
import { useFormat } from '../state/format';
import { dateIn, startOfDate } from '../state/local-days';
import { useRefusalText } from '../state/refusal';
import { useMerchantClock } from '../state/use-merchant-clock';

const stepMs = 1_000;

/** The merchant's clock, ticking; null until the page is hydrated, because the server's clock differs. */
function useTickingClock(): Date | null {
  const clock = useMerchantClock();
  const [now, setNow] = useState<Date | null>(null);
  useEffect(() => {
    setNow(clock());
    const timer = setInterval(() => setNow(clock()), stepMs);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}

const steps = { day: addDays, week: addWeeks, month: addMonths };

/** Advances a sandbox's clock, to test what happens over time. It can't be set back. */
export function ClockSetting({ canEdit }: { canEdit: boolean }) {
  const t = useTranslations('settings');
  const format = useFormat();
  const { timeZone } = useOffice().merchant;
  const now = useTickingClock();
  const [confirmingTime, setConfirmingTime] = useState<Date | null>(null);
  const advance = useAdvance();
  const by = (step: keyof typeof steps, from: Date) => new Date(steps[step](from, 1, { in: tz(timeZone) }).getTime());
  return (
    <>
      <p className="text-sm text-muted">{t('clockShows')}</p>
      <p className="mt-1 min-h-8 text-xl font-semibold tracking-tight tabular-nums">
        {now ? <time dateTime={now.toISOString()}>{`${format.fullDate(now)}, ${format.time(now)}`}</time> : null}
      </p>
      {canEdit && now ? (
        <div className="mt-5 flex flex-col gap-5">
          <div className="flex flex-wrap gap-3">
            {(Object.keys(steps) as (keyof typeof steps)[]).map((step) => (
              <Button
                key={step}
                variant="secondary"
                busy={advance.isPending}
                onClick={() => setConfirmingTime(by(step, now))}
              >
                {t('advanceBy', { step })}
              </Button>
            ))}
          </div>
          <AdvanceToDate now={now} isBusy={advance.isPending} onChoose={setConfirmingTime} />
        </div>
      ) : null}
      <div className="mt-5">
        <ButtonLink href="/automations" variant="secondary" size="small">
          {t('openAutomations')}
        </ButtonLink>
      </div>
      <ConfirmDialog
        open={confirmingTime !== null}
        title={t('advanceTitle', { time: confirmingTime ? format.dateTime(confirmingTime) : '' })}
        confirmLabel={t('advance')}
        isDangerous
        onCancel={() => setConfirmingTime(null)}
        onConfirm={() => {
          if (confirmingTime) advance.mutate({ to: confirmingTime.toISOString() });
          setConfirmingTime(null);
        }}
      >
        {t('advanceEffect')}
      </ConfirmDialog>
    </>
  );
}

function useAdvance() {
  const t = useTranslations('settings');
  const toast = useToast();
  const format = useFormat();
  const refusalText = useRefusalText();
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation(
    useTRPC().settings.advanceClock.mutationOptions({
      onSuccess: ({ now }) => toast.done(t('advanced', { time: format.dateTime(now) })),
      onError: (error) => toast.failed(refusalText(error)),
      onSettled: () => {
        // The page's frame has the clock's offset.
        router.refresh();
        return queryClient.invalidateQueries();
      },
    }),
  );
}

interface AdvanceToDateProps {
  now: Date;
  isBusy: boolean;
  onChoose: (to: Date) => void;
}

function AdvanceToDate({ now, isBusy, onChoose }: AdvanceToDateProps) {
  const t = useTranslations('settings');
  const { timeZone } = useOffice().merchant;
  const first = addToDate(dateIn(timeZone, now), 1);
  const last = dateIn(timeZone, new Date(Date.now() + (maxAheadSeconds - 24 * 60 * 60) * 1000));
  const [date, setDate] = useState('');
  const isPossible = date >= first && date <= last;
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPossible) onChoose(startOfDate(date, timeZone));
      }}
    >
      <Field
        label={t('advanceToDate')}
        type="date"
        min={first}
        max={last}
        value={date}
        error={date !== '' && !isPossible ? t('advanceDateRange') : null}
        onChange={({ target }) => setDate(target.value)}
      />
      <Button type="submit" variant="secondary" busy={isBusy || !isPossible}>
        {t('advance')}
      </Button>
    </form>
  );
}
