'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { profileInput } from '@/server/domain/customers/schemas';
import { displayName } from '@/server/domain/identity/rules';
import { asRefusal } from '../../calls/refusal';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { Dialog } from '../../ui/dialog';
import { Link } from '../../ui/link';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';
import { ProfileFields } from './profile-fields';

/** Adds a customer manually. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('customers');
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const enrol = useMutation(useTRPC().customers.enrol.mutationOptions());
  const form = useZodForm(profileInput, {
    givenName: '',
    lastName: '',
    phone: null,
    email: null,
    birthday: null,
    tags: null,
  });
  const { customerId } = (asRefusal(enrol.error)?.data?.details ?? {}) as { customerId?: string };
  return (
    <Dialog open onClose={onClose} title={t('enrol')}>
      <Form
        form={form}
        saveLabel={t('enrol')}
        onCancel={onClose}
        onSave={async (profile) => {
          const enrolled = await enrol.mutateAsync(profile);
          await queryClient.invalidateQueries({ queryKey: [['customers']] });
          toast.done(t('enrolled', { name: displayName(profile) }));
          onClose();
          router.push(`/customers/${enrolled.customerId}`);
        }}
      >
        <ProfileFields />
        {customerId ? (
          <Link
            href={`/customers/${customerId}`}
            className="w-fit rounded text-sm font-medium text-accent underline underline-offset-4"
          >
            {t('alreadyThere')}
          </Link>
        ) : null}
      </Form>
    </Dialog>
  );
}
