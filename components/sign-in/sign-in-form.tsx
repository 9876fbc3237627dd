'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { useSentence } from '../messages/use-sentence';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { SpinnerIcon } from '../ui/icons';
import { PasskeyButton } from './passkey-button';
import { PasswordField } from './password-field';
import { requestPasskeySignIn, requestSignIn, type SignInOutcome } from './request-sign-in';

type Refusal = Exclude<SignInOutcome, { kind: 'signedIn' }> | { kind: 'wrongPasskey' };
type State = { kind: 'idle' } | { kind: 'sending' } | Refusal;

function RefusalAlert({ refusal }: { refusal: Refusal }) {
  const t = useTranslations('signIn');
  const sentenceText = useSentence();
  switch (refusal.kind) {
    case 'wrongCredentials':
      return (
        <Alert tone="danger" title={t('wrongTitle')}>
          {t('wrong')}
        </Alert>
      );
    case 'wrongPasskey':
      return <Alert tone="danger" title={sentenceText({ key: 'notThePasskey', values: {} })} />;
    case 'tooManyAttempts': {
      const seconds = Math.ceil(refusal.retryAfterSeconds);
      return (
        <Alert tone="caution" title={t('tooManyTitle')}>
          {seconds < 90 ? t('tooManySeconds', { seconds }) : t('tooManyMinutes', { minutes: Math.ceil(seconds / 60) })}
        </Alert>
      );
    }
    case 'unavailable':
      return (
        <Alert tone="danger" title={t('unavailableTitle')}>
          {t('unavailable')}
        </Alert>
      );
  }
}

function useMissing() {
  const t = useTranslations('signIn');
  return (email: string, password: string): { email?: string; password?: string } => ({
    email: /^\S+@\S+$/.test(email) ? undefined : t('emailMissing'),
    password: password ? undefined : t('passwordMissing'),
  });
}

interface SignInFormProps {
  /** A path on this origin, checked by the server. */
  callbackPath: string;
  /** The only accepted e-mail address. */
  email?: string;
}

export function SignInForm({ callbackPath, email: fixedEmail }: SignInFormProps) {
  const t = useTranslations('signIn');
  const tFactors = useTranslations('secondFactors');
  const missing = useMissing();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const sending = state.kind === 'sending';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) return;
    const form = new FormData(event.currentTarget);
    const email = String(form.get('email')).trim();
    const password = String(form.get('password'));
    const found = missing(email, password);
    setErrors(found);
    if (found.email || found.password) {
      setState({ kind: 'idle' });
      (found.email ? emailInput : passwordInput).current?.focus();
      return;
    }

    setState({ kind: 'sending' });
    const outcome = await requestSignIn({ email, password });
    finish(outcome);
    if (outcome.kind === 'wrongCredentials') passwordInput.current?.select();
  }

  function finish(outcome: SignInOutcome, wrong: 'wrongCredentials' | 'wrongPasskey' = 'wrongCredentials') {
    if (outcome.kind === 'signedIn') window.location.assign(callbackPath);
    else setState(outcome.kind === 'wrongCredentials' ? { kind: wrong } : outcome);
  }

  // method="post": if the form is submitted before the script has loaded, the password must not end up in the URL.
  return (
    <form method="post" action="/api/auth/signin/credentials" noValidate onSubmit={submit} className="space-y-5">
      <noscript>
        <Alert tone="caution" title={t('needsScriptTitle')}>
          {t('needsScript')}
        </Alert>
      </noscript>
      {state.kind === 'idle' || sending ? null : <RefusalAlert refusal={state} />}
      <Field
        ref={emailInput}
        label={t('email')}
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        defaultValue={fixedEmail}
        readOnly={fixedEmail !== undefined}
        error={errors.email}
      />
      <PasswordField
        ref={passwordInput}
        label={t('password')}
        name="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      <Button type="submit" busy={sending} className="w-full">
        {sending ? <SpinnerIcon /> : null}
        {sending ? t('signingIn') : t('signIn')}
      </Button>
      <p role="status" className="sr-only">
        {sending ? t('signingIn') : ''}
      </p>
      <PasskeyButton
        label={tFactors('signInWithPasskey')}
        onProof={async (response) => finish(await requestPasskeySignIn(response), 'wrongPasskey')}
      />
    </form>
  );
}
