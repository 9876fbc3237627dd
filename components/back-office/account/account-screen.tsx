'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ownName, passwordChange } from '@/server/domain/access/schemas';
import { accountClient } from '../../calls/account-client';
import { secondFactorsQuery } from '../../calls/second-factors-query';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { PasswordInForm } from '../../sign-in/password-field';
import { requestSignIn } from '../../sign-in/request-sign-in';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { useToast } from '../../ui/toast';
import { useIsGeneralManager, useOffice } from '../office/office';
import { DailySummary } from './daily-summary';
import { SecondFactors } from './second-factors';
import { Sessions, sessionsKey } from './sessions';

export function AccountScreen() {
  const t = useTranslations('account');
  const { isAdmitted, person } = useOffice();
  const isGeneralManager = useIsGeneralManager();
  return (
    <>
      <PageHeader title={t('title')} description={t('description', { email: person.email })} />
      <div className="flex max-w-2xl flex-col gap-6">
        <Section title={t('details')} description={t('detailsText')}>
          <NameForm />
        </Section>
        {isAdmitted && isGeneralManager ? <DailySummary /> : null}
        <Section title={t('password')} description={t('passwordText')}>
          <PasswordForm />
        </Section>
        <SecondFactors />
        <Sessions />
      </div>
    </>
  );
}

function NameForm() {
  const t = useTranslations('account');
  const router = useRouter();
  const { name } = useOffice().person;
  const form = useZodForm(ownName, { name });
  return (
    <Form
      form={form}
      onSave={async (input) => {
        await accountClient.changeOwnName.mutate(input);
        // The page's frame shows the name too.
        router.refresh();
      }}
      savedMessage={t('nameSaved')}
    >
      <TextField name="name" label={t('name')} autoComplete="name" />
    </Form>
  );
}

function PasswordForm() {
  const t = useTranslations('account');
  const toast = useToast();
  const { email } = useOffice().person;
  const queryClient = useQueryClient();
  const form = useZodForm(passwordChange, { presentPassword: '', newPassword: '' });
  return (
    <Form
      form={form}
      onSave={async (input) => {
        const { authenticator, passkeys } = await queryClient.ensureQueryData(secondFactorsQuery);
        await accountClient.changeOwnPassword.mutate(input);
        // The change has ended every session, so this signs in again.
        const { kind } = await requestSignIn({ email, password: input.newPassword });
        const hasSecondStep = authenticator !== null || passkeys.length > 0;
        if (kind !== 'signedIn' || hasSecondStep) return window.location.assign('/sign-in?callbackUrl=/account');
        void queryClient.invalidateQueries({ queryKey: sessionsKey });
        form.setValue('presentPassword', '');
        form.setValue('newPassword', '');
        toast.done(t('passwordChanged'));
      }}
      saveLabel={t('changePassword')}
    >
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInForm name="presentPassword" label={t('presentPassword')} autoComplete="current-password" />
      <PasswordInForm
        name="newPassword"
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        autoComplete="new-password"
      />
    </Form>
  );
}
