'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { z } from 'zod';
import { resendSpanInput } from '@/server/domain/webhooks/schemas';
import { DateField, RadioField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useOffice } from '../shell/office';
import { useTRPC } from '../shell/trpc';
import { dateIn } from '../state/local-days';
import { useChange } from '../state/use-change';

/** Radio buttons have string values. */
const spanForm = z
  .strictObject({ ...resendSpanInput.omit({ onlyFailed: true }).shape, which: z.enum(['failed', 'all']) })
  .transform(({ which, ...input }) => ({ ...input, onlyFailed: which === 'failed' }));

/** Sends the events of some days again. */
export function ResendDialog({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const t = useTranslations('webhooks');
  // Webhooks are sent by the machine's clock, also where a sandbox's was advanced.
  const today = dateIn(useOffice().merchant.timeZone, new Date());
  const { toast, settle } = useChange('webhooks');
  const resend = useMutation(useTRPC().webhooks.resendSpan.mutationOptions({ onSettled: settle.onSettled }));
  const form = useZodForm(spanForm, { endpointId, from: today, until: today, which: 'failed' });
  return (
    <Dialog open onClose={resend.isPending ? undefined : onClose} title={t('resendSpanTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('resendSpanText')}</p>
      <Form
        form={form}
        onSave={async (input) => {
          const { count } = await resend.mutateAsync(input);
          toast.done(t('resentSpanToast', { count }));
          onClose();
        }}
        saveLabel={t('resendSubmit')}
        onCancel={onClose}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <DateField name="from" label={t('from')} />
          <DateField name="until" label={t('until')} />
        </div>
        <RadioField
          name="which"
          label={t('which')}
          options={[
            { value: 'failed', label: t('onlyFailed') },
            { value: 'all', label: t('everything') },
          ]}
        />
      </Form>
    </Dialog>
  );
}
