'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { blockInput } from '@/server/domain/customers/schemas';
import { displayName } from '@/server/domain/identity/rules';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import type { CustomerDetail } from './types';

export function BlockDialog({ detail: { customer }, onClose }: { detail: CustomerDetail; onClose: () => void }) {
  const t = useTranslations('customers');
  const tCommon = useTranslations('common');
  const queryClient = useQueryClient();
  const block = useMutation(useTRPC().customers.block.mutationOptions());
  const form = useZodForm(blockInput, { customerId: customer.customerId, reason: '' });
  return (
    <Dialog open onClose={onClose} title={t('blockTitle', { name: displayName(customer) })}>
      <p className="mb-5 leading-relaxed text-muted">{t('blockText')}</p>
      <Form
        form={form}
        saveLabel={t('block')}
        savedMessage={t('blockedToast')}
        isDangerous
        onCancel={onClose}
        onSave={async (input) => {
          await block.mutateAsync(input);
          await queryClient.invalidateQueries({ queryKey: [['customers']] });
          onClose();
        }}
      >
        <TextField name="reason" label={tCommon('reason')} hint={t('reasonHint')} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
