'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { codeInput, passwordProof } from '@/server/domain/access/schemas';
import { accountClient } from '../../calls/account-client';
import { useQuestion } from '../../calls/ask-to-confirm';
import { secondFactorsQuery } from '../../calls/second-factors-query';
import { Form } from '../../form/form';
import { useZodForm } from '../../form/use-zod-form';
import { CodeField } from '../../sign-in/code-field';
import { PasskeyButton } from '../../sign-in/passkey-button';
import { PasswordInForm } from '../../sign-in/password-field';
import { Dialog } from '../../ui/dialog';
import { useOffice } from '../office/office';
import { Loaded } from '../state/loaded';

/** The dialog that asks who is there before a dangerous change. */
export function ConfirmIdentity() {
  const t = useTranslations('secondFactors');
  const question = useQuestion();
  return (
    <Dialog open={question !== null} onClose={() => question?.answer(false)} title={t('confirmTitle')}>
      <p className="mb-5 leading-relaxed text-muted">{t('confirmText')}</p>
      {question ? <Proof onCancel={() => question.answer(false)} onConfirmed={() => question.answer(true)} /> : null}
    </Dialog>
  );
}

interface ProofProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

function Proof(props: ProofProps) {
  const query = useQuery(secondFactorsQuery);
  return (
    <Loaded query={query} height="h-24">
      {({ authenticator, passkeys }) =>
        authenticator || passkeys.length > 0 ? (
          <div className="flex flex-col gap-5">
            {passkeys.length > 0 ? <PasskeyProof {...props} /> : null}
            <CodeProof {...props} hasApp={authenticator !== null} />
          </div>
        ) : (
          <PasswordProof {...props} />
        )
      }
    </Loaded>
  );
}

function PasskeyProof({ onConfirmed }: ProofProps) {
  const t = useTranslations('secondFactors');
  return (
    <PasskeyButton
      label={t('usePasskey')}
      onProof={async (passkey) => {
        await accountClient.confirmWithPasskey.mutate({ passkey });
        onConfirmed();
      }}
    />
  );
}

function CodeProof({ onConfirmed, onCancel, hasApp }: ProofProps & { hasApp: boolean }) {
  const t = useTranslations('secondFactors');
  const form = useZodForm(codeInput, { code: '' });
  return (
    <Form
      form={form}
      saveLabel={t('confirm')}
      onCancel={onCancel}
      onSave={async (input) => {
        await accountClient.confirmWithCode.mutate(input);
        onConfirmed();
      }}
    >
      <CodeField accepts={hasApp ? 'either' : 'recovery'} />
    </Form>
  );
}

function PasswordProof({ onConfirmed, onCancel }: ProofProps) {
  const t = useTranslations('secondFactors');
  const tAccount = useTranslations('account');
  const { email } = useOffice().person;
  const form = useZodForm(passwordProof, { presentPassword: '' });
  return (
    <Form
      form={form}
      saveLabel={t('confirm')}
      onCancel={onCancel}
      onSave={async (input) => {
        await accountClient.confirmWithPassword.mutate(input);
        onConfirmed();
      }}
    >
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInForm name="presentPassword" label={tAccount('presentPassword')} autoComplete="current-password" />
    </Form>
  );
}
