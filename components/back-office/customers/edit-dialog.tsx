'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { editCustomerInput } from '@/server/domain/customers/schemas';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../trpc';
import { ProfileFields } from './profile-fields';
import type { CustomerDetail } from './types';

/** Changes who the customer is. */
export function EditDialog({ detail: { customer }, onClose }: { detail: CustomerDetail; onClose: () => void }) {
  const t = useTranslations('customers');
  const queryClient = useQueryClient();
  const edit = useMutation(useTRPC().customers.edit.mutationOptions());
  const { customerId, givenName, lastName, phone, email, birthday } = customer;
  const form = useZodForm(editCustomerInput, { customerId, givenName, lastName, phone, email, birthday });
  return (
    <Dialog open onClose={onClose} title={t('editTitle')}>
      <Form
        form={form}
        savedMessage={t('edited')}
        onCancel={onClose}
        onSave={async (input) => {
          await edit.mutateAsync(input);
          await queryClient.invalidateQueries({ queryKey: [['customers']] });
          onClose();
        }}
      >
        <ProfileFields />
      </Form>
    </Dialog>
  );
}
