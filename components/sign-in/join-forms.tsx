'use client';

import { useTranslations } from 'next-intl';
import { invitationAcceptance, newStaff } from '@/server/domain/access/schemas';
import { accountClient } from '../calls/account-client';
import { switchMerchant } from '../calls/leave-session';
import { useField } from '../form/use-field';
import { useZodForm } from '../form/use-zod-form';
import { Field } from '../ui/field';
import { requestSignIn } from './request-sign-in';
import { NewPasswordField, VisitorForm } from './visitor-form';

/** For a new person: creates their account and opens the merchant's back office. */
export function JoinAsNewStaff({ token, email }: { token: string; email: string }) {
  const t = useTranslations('signIn');
  const form = useZodForm(newStaff, { token, name: '', password: '' });
  return (
    <VisitorForm
      form={form}
      onSend={async (input) => {
        await accountClient.joinAsNewStaff.mutate(input);
        const { kind } = await requestSignIn({ email, password: input.password });
        window.location.replace(kind === 'signedIn' ? '/home' : '/sign-in');
      }}
      label={t('join')}
      busyLabel={t('joining')}
    >
      <NameField />
      <NewPasswordField name="password" username={email} />
    </VisitorForm>
  );
}

function NameField() {
  const t = useTranslations('signIn');
  const { field, error } = useField('name');
  return <Field {...field} label={t('yourName')} autoComplete="name" maxLength={100} error={error} />;
}

/** For an invited person who is already signed in. */
export function JoinAsStaff({ token }: { token: string }) {
  const t = useTranslations('signIn');
  const form = useZodForm(invitationAcceptance, { token });
  return (
    <VisitorForm
      form={form}
      onSend={async (input) => {
        const { merchantId } = await accountClient.joinAsStaff.mutate(input);
        await switchMerchant(merchantId);
        window.location.replace('/home');
      }}
      label={t('join')}
      busyLabel={t('joining')}
    >
      {null}
    </VisitorForm>
  );
}
