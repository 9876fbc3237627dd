'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { editCustomerInput } from '@/server/domain/customers/schemas';
import { Form } from '../../form/form';
import { Opened } from '../../form/opened';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { useTRPC } from '../office/trpc';
import { ProfileFields } from './profile-fields';
import type { CustomerDetail } from './types';

interface EditDialogProps {
  detail: CustomerDetail;
  onClose: () => void;
}

/** Edits the customer's contact details. */
export function EditDialog({ detail, onClose }: EditDialogProps) {
  const t = useTranslations('customers');
  const { customerId } = detail.customer;
  const { refetch } = useQuery(useTRPC().customers.get.queryOptions({ customerId }));
  return (
    <Dialog open onClose={onClose} title={t('editTitle')}>
      <Opened present={detail} refetch={refetch}>
        {(opened) => <EditForm detail={opened} onClose={onClose} />}
      </Opened>
    </Dialog>
  );
}

function EditForm({ detail: { customer, revision }, onClose }: EditDialogProps) {
  const t = useTranslations('customers');
  const queryClient = useQueryClient();
  const edit = useMutation(useTRPC().customers.edit.mutationOptions());
  const { customerId, givenName, lastName, phone, email, birthday } = customer;
  // Edited in one line.
  const tags = customer.tags.join(', ');
  const form = useZodForm(editCustomerInput, {
    customerId,
    givenName,
    lastName,
    phone,
    email,
    birthday,
    tags,
    revision,
  });
  return (
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
  );
}
