'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { setKeyLimitsInput } from '@/server/domain/merchants/schemas';
import { NumberField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import type { ApiKey } from './key-facts';

/** Changes the rate limit of a key. */
export function LimitsDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTranslations('apiKeys');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const setLimits = useMutation(trpc.apiKeys.setLimits.mutationOptions());
  const { apiKeyId, name, ratePerSecond, rateBurst } = apiKey;
  const form = useZodForm(setKeyLimitsInput, { apiKeyId, ratePerSecond, rateBurst });
  return (
    <Dialog open onClose={onClose} title={t('limitsTitle', { name })}>
      <Form
        form={form}
        onSave={async (input) => {
          await setLimits.mutateAsync(input);
          await queryClient.invalidateQueries({ queryKey: [['apiKeys']] });
          onClose();
        }}
        savedMessage={t('limitsToast', { name })}
        onCancel={onClose}
      >
        <LimitFields />
      </Form>
    </Dialog>
  );
}

export function LimitFields() {
  const t = useTranslations('apiKeys');
  return (
    <>
      <NumberField name="ratePerSecond" label={t('ratePerSecond')} hint={t('ratePerSecondHint')} />
      <NumberField name="rateBurst" label={t('rateBurst')} hint={t('rateBurstHint')} />
    </>
  );
}
