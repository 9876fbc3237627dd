'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { invitation } from '@/server/domain/access/schemas';
import { RadioField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { OnlyWhen } from '../../form/only-when';
import { useZodForm } from '../../form/use-zod-form';
import { useLanguage } from '../../messages/use-language';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { StoresField } from '../fields/stores-field';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { CopyBlock } from '../state/copy-block';
import { useRoleOptions } from './roles';

/** Invites a person and shows the link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('staff');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const roles = useRoleOptions();
  const invite = useMutation(trpc.staff.invite.mutationOptions());
  const form = useZodForm(invitation, {
    email: '',
    role: 'cashier',
    language: useLanguage(),
    allStores: true,
    storeIds: [],
  });
  const [sent, setSent] = useState<{ email: string; link: string } | null>(null);
  if (sent) return <ShownLink {...sent} onClose={onClose} />;
  return (
    <Dialog open onClose={invite.isPending ? undefined : onClose} title={t('inviteTitle')}>
      <Form
        form={form}
        onSave={async (input) => {
          const { link } = await invite.mutateAsync(input);
          setSent({ email: input.email, link });
          await queryClient.invalidateQueries({ queryKey: [['staff']] });
        }}
        saveLabel={t('sendInvitation')}
        onCancel={onClose}
      >
        <TextField name="email" label={t('email')} type="email" autoComplete="off" spellCheck={false} />
        <RadioField name="role" label={t('role')} options={roles} />
        <OnlyWhen is={form.watch('role') !== 'owner'} names={['allStores', 'storeIds']}>
          <StoresField hint={t('storesHint')} />
        </OnlyWhen>
      </Form>
    </Dialog>
  );
}

/** Shows the link. It is never shown again, so only its button closes the dialog. */
export function ShownLink({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  const t = useTranslations('staff');
  const tCommon = useTranslations('common');
  const tSignIn = useTranslations('signIn');
  const { hasSandboxInbox } = useOffice();
  return (
    <Dialog open title={t('sentTitle')}>
      <p className="mb-5 leading-relaxed wrap-anywhere text-muted">{t('sentText', { email })}</p>
      {hasSandboxInbox ? (
        <p className="mb-5 text-sm leading-relaxed text-muted">
          {tSignIn('sandboxNote')}{' '}
          <a href="/sandbox-inbox" target="_blank" rel="noreferrer" className="underline underline-offset-4">
            {tSignIn('sandboxLink')}
          </a>
        </p>
      ) : null}
      <CopyBlock title={t('link')} value={link} />
      <Button className="mt-6" onClick={onClose}>
        {tCommon('done')}
      </Button>
    </Dialog>
  );
}
