'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { passwordResetRequest } from '@/server/domain/access/schemas';
import { accountClient } from '../calls/account-client';
import { useZodForm } from '../form/use-zod-form';
import { useLanguage } from '../messages/use-language';
import { Button } from '../ui/button';
import { EmailField, VisitorForm } from './visitor-form';

/** Requests a reset link. The response does not reveal whether the address has an account. */
export function ResetRequestForm() {
  const t = useTranslations('signIn');
  const form = useZodForm(passwordResetRequest, { email: '', language: useLanguage() });
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <div role="status">
        <p className="text-lg font-semibold tracking-tight">{t('sentTitle')}</p>
        <p className="mt-2 leading-relaxed wrap-anywhere">{t('sentText', { email: sentTo })}</p>
        <p className="mt-2 mb-6 text-sm leading-relaxed text-muted">{t('sentHint')}</p>
        <Button variant="secondary" onClick={() => setSentTo(null)}>
          {t('anotherAddress')}
        </Button>
      </div>
    );
  }
  return (
    <VisitorForm
      form={form}
      onSend={async (input) => {
        await accountClient.requestPasswordReset.mutate(input);
        form.reset();
        setSentTo(input.email);
      }}
      label={t('sendLink')}
      busyLabel={t('sending')}
    >
      <EmailField name="email" />
    </VisitorForm>
  );
}
