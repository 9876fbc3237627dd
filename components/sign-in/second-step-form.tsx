'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { codeInput } from '@/server/domain/access/schemas';
import { accountClient } from '../calls/account-client';
import { signOut } from '../calls/leave-session';
import { useZodForm } from '../form/use-zod-form';
import { ButtonLink } from '../ui/button';
import { CodeField } from './code-field';
import { PasskeyButton } from './passkey-button';
import { footLinkLook } from './sign-in-card';
import { VisitorForm } from './visitor-form';

interface SecondStepFormProps {
  callbackPath: string;
  hasApp: boolean;
  hasPasskey: boolean;
}

/** The second step of a sign-in, after the password. */
export function SecondStepForm({ callbackPath, hasApp, hasPasskey }: SecondStepFormProps) {
  const t = useTranslations('secondFactors');
  const [usesCode, setUsesCode] = useState(hasApp || !hasPasskey);
  const [codesLeft, setCodesLeft] = useState<number | null>(null);
  if (codesLeft !== null) return <CodesLeft count={codesLeft} callbackPath={callbackPath} />;
  const passkey = hasPasskey ? (
    <PasskeyButton
      label={t('usePasskey')}
      isPrimary={!usesCode}
      onProof={async (passkey) => {
        await accountClient.finishSignInWithPasskey.mutate({ passkey });
        window.location.assign(callbackPath);
      }}
    />
  ) : null;
  if (!usesCode) {
    return (
      <div className="space-y-5">
        {passkey}
        <button type="button" className={footLinkLook} onClick={() => setUsesCode(true)}>
          {t('useRecovery')}
        </button>
      </div>
    );
  }
  return (
    <div className="space-y-5">
      {passkey}
      <CodeForm
        hasApp={hasApp}
        onDone={(left) => (left === null ? window.location.assign(callbackPath) : setCodesLeft(left))}
      />
    </div>
  );
}

/** `onDone` gets how many recovery codes are left if one was used, otherwise null. */
function CodeForm({ hasApp, onDone }: { hasApp: boolean; onDone: (codesLeft: number | null) => void }) {
  const t = useTranslations('signIn');
  const form = useZodForm(codeInput, { code: '' });
  return (
    <VisitorForm
      form={form}
      onSend={async (input) => onDone((await accountClient.finishSignIn.mutate(input)).recoveryCodesLeft)}
      label={t('signIn')}
      busyLabel={t('signingIn')}
    >
      <CodeField accepts={hasApp ? 'either' : 'recovery'} />
    </VisitorForm>
  );
}

/** Shown after a sign-in with a recovery code. */
function CodesLeft({ count, callbackPath }: { count: number; callbackPath: string }) {
  const t = useTranslations('secondFactors');
  const tShell = useTranslations('shell');
  return (
    <div role="status" className="space-y-5">
      <p className="leading-relaxed">{t('codeUsed', { count })}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink href={callbackPath}>{t('continue')}</ButtonLink>
        <ButtonLink href="/account" variant="secondary">
          {tShell('account')}
        </ButtonLink>
      </div>
    </div>
  );
}

/** Cancels a sign-in that waits for its second step. */
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
