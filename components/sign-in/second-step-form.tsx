'use client';

import { useTranslations } from 'next-intl';
import { codeInput } from '@/server/domain/access/schemas';
import { signOut } from '../back-office/shell/leave-session';
import { useZodForm } from '../form/use-zod-form';
import { account } from './account-client';
import { CodeField } from './code-field';
import { PasskeyButton } from './passkey-button';
import { footLinkLook } from './sign-in-card';
import { VisitorForm } from './visitor-form';

/** The second step of a sign-in, after the password. */
export function SecondStepForm({ callbackPath, hasApp }: { callbackPath: string; hasApp: boolean }) {
  const t = useTranslations('signIn');
  const tFactors = useTranslations('secondFactors');
  const form = useZodForm(codeInput, { code: '' });
  return (
    <VisitorForm
      form={form}
      onSend={async (input) => {
        await account.finishSignIn.mutate(input);
        window.location.assign(callbackPath);
      }}
      label={t('signIn')}
      busyLabel={t('signingIn')}
    >
      <PasskeyButton
        label={tFactors('usePasskey')}
        onProof={async (passkey) => {
          await account.finishSignInWithPasskey.mutate({ passkey });
          window.location.assign(callbackPath);
        }}
      />
      <CodeField accepts={hasApp ? 'either' : 'recovery'} />
    </VisitorForm>
  );
}

/** Leaves a sign-in that waits for its second step. */
export function OtherAccount() {
  const t = useTranslations('secondFactors');
  return (
    <button
      type="button"
      className={footLinkLook}
      onClick={async () => {
        await signOut();
        window.location.assign('/sign-in');
      }}
    >
      {t('otherAccount')}
    </button>
  );
}
