'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { QuietHours } from '@/server/domain/kernel/context';
import { quietHours as quietHoursSchema } from '@/server/domain/messaging/schemas';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Section } from '../../ui/section';
import { Switch } from '../../ui/switch';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';

/** The default when quiet hours are turned on. */
const defaultQuietHours: QuietHours = { from: '21:00', until: '09:00' };

/** Sets the hours in which no notices are sent. */
export function QuietHoursSetting({ quietHours }: { quietHours: QuietHours | null }) {
  const t = useTranslations('messages');
  const { timeZone } = useOffice().merchant;
  const { toast, settle } = useChange('messages');
  const change = useMutation(useTRPC().messages.setQuietHours.mutationOptions({ onSettled: settle.onSettled }));
  return (
    <Section title={t('quietHours')} description={t('quietHoursText', { timeZone })}>
      <div className="flex items-center justify-between gap-6">
        <p id="quiet-hours" className="text-sm font-medium">
          {t('quietHoursOn')}
        </p>
        <Switch
          checked={quietHours !== null}
          onChange={(isOn) =>
            change.mutate(
              { quietHours: isOn ? defaultQuietHours : null },
              {
                onSuccess: () => toast.done(t('quietSaved')),
                onError: settle.onError,
              },
            )
          }
          disabled={change.isPending}
          labelledBy="quiet-hours"
        />
      </div>
      {quietHours ? (
        <Times
          key={`${quietHours.from} ${quietHours.until}`}
          quietHours={quietHours}
          onSave={(times) => change.mutateAsync({ quietHours: times })}
        />
      ) : null}
    </Section>
  );
}

function Times({ quietHours, onSave }: { quietHours: QuietHours; onSave: (times: QuietHours) => Promise<unknown> }) {
  const t = useTranslations('messages');
  const form = useZodForm(quietHoursSchema, quietHours);
  return (
    <div className="mt-5">
      <Form form={form} savedMessage={t('quietSaved')} onSave={onSave}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField type="time" name="from" label={t('quietFrom')} />
          <TextField type="time" name="until" label={t('quietUntil')} />
        </div>
      </Form>
    </div>
  );
}
