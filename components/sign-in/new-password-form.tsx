'use client';

import { useTranslations } from 'next-intl';
import { passwordReset } from '@/server/domain/access/schemas';
import { accountClient } from '../calls/account-client';
import { useZodForm } from '../form/use-zod-form';
import { requestSignIn } from './request-sign-in';
import { NewPasswordField, VisitorForm } from './visitor-form';

/** Sets a new password through a link, and signs in with it. */
export function NewPasswordForm({ token, email }: { token: string; email: string }) {
  const t = useTranslations('signIn');
  const form = useZodForm(passwordReset, { token, password: '' });
  return (
    <VisitorForm
      form={form}
      onSend={async (input) => {
        await accountClient.resetPassword.mutate(input);
        const { kind } = await requestSignIn({ email, password: input.password });
        window.location.replace(kind === 'signedIn' ? '/home' : '/sign-in');
      }}
      label={t('savePassword')}
      busyLabel={t('signingIn')}
    >
      <NewPasswordField name="password" username={email} />
    </VisitorForm>
  );
}
