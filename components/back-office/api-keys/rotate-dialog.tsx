'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { z } from 'zod';
import { keyOverlapHours } from '@/server/domain/merchants/schemas';
import { RadioField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import type { ApiKey } from './key-facts';
import { ShownKey } from './shown-key';

/** Radio buttons have string values. */
const choice = z.object({ overlap: z.enum(['0', '1', '24', '72']) });

/** Replaces a key and shows the new one once. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTranslations('apiKeys');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(trpc.apiKeys.rotate.mutationOptions());
  const form = useZodForm(choice, { overlap: '24' });
  const router = useRouter();
  const [created, setCreated] = useState<{ key: string; apiKeyId: string } | null>(null);
  if (created !== null) {
    const goToNewKey = () => {
      onClose();
      router.push(`/api-keys/${created.apiKeyId}`);
    };
    return <ShownKey value={created.key} onClose={goToNewKey} />;
  }

  return (
    <Dialog open onClose={rotate.isPending ? undefined : onClose} title={t('rotateTitle', { name: apiKey.name })}>
      <p className="mb-5 leading-relaxed text-muted">{t('rotateText')}</p>
      <Form
        form={form}
        onSave={async ({ overlap }) => {
          const overlapHours = keyOverlapHours.find((hours) => String(hours) === overlap) ?? 0;
          setCreated(await rotate.mutateAsync({ apiKeyId: apiKey.apiKeyId, overlapHours }));
          await queryClient.invalidateQueries({ queryKey: [['apiKeys']] });
        }}
        saveLabel={t('rotateSubmit')}
        onCancel={onClose}
      >
        <RadioField
          name="overlap"
          label={t('overlap')}
          options={[
            { value: '0', label: t('overlap0'), hint: t('overlap0Hint') },
            { value: '1', label: t('overlap1') },
            { value: '24', label: t('overlap24') },
            { value: '72', label: t('overlap72') },
          ]}
        />
      </Form>
    </Dialog>
  );
}
