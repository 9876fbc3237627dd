'use client';

import { type FormEvent, useRef, useState } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { EyeIcon, EyeOffIcon, SpinnerIcon } from '../ui/icons';
import { requestSignIn, type SignInOutcome } from './request-sign-in';

type Refusal = Exclude<SignInOutcome, { kind: 'signedIn' }>;
type State = { kind: 'idle' } | { kind: 'sending' } | Refusal;

function waitingTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

function RefusalAlert({ refusal }: { refusal: Refusal }) {
  switch (refusal.kind) {
    case 'wrongCredentials':
      return (
        <Alert tone="danger" title="That e-mail and password do not match">
          Check both and try again.
        </Alert>
      );
    case 'tooManyAttempts':
      return (
        <Alert tone="caution" title="Too many tries">
          To protect the account, wait {waitingTime(refusal.retryAfterSeconds)} before the next one.
        </Alert>
      );
    case 'unavailable':
      return (
        <Alert tone="danger" title="Sign-in can’t be reached">
          Your details were not the problem. Check your connection and try again in a moment.
        </Alert>
      );
  }
}

function missing(email: string, password: string): { email?: string; password?: string } {
  return {
    email: /^\S+@\S+$/.test(email) ? undefined : 'Enter your e-mail address, such as name@example.com',
    password: password ? undefined : 'Enter your password',
  };
}

/** `callbackPath` is a path of this origin, checked by the server. */
export function SignInForm({ callbackPath }: { callbackPath: string }) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});
  const [passwordShown, setPasswordShown] = useState(false);
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
    if (outcome.kind === 'signedIn') {
      window.location.assign(callbackPath);
      return;
    }
    setState(outcome);
    if (outcome.kind === 'wrongCredentials') passwordInput.current?.select();
  }

  // method="post": sent before the script is there, the password must not end up in the address.
  return (
    <form method="post" action="/api/auth/signin/credentials" noValidate onSubmit={submit} className="space-y-5">
      <noscript>
        <Alert tone="caution" title="Signing in needs JavaScript">
          Switch it on for this site, then load the page again.
        </Alert>
      </noscript>
      {state.kind === 'idle' || sending ? null : <RefusalAlert refusal={state} />}
      <Field
        ref={emailInput}
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        error={errors.email}
      />
      <Field
        ref={passwordInput}
        label="Password"
        name="password"
        type={passwordShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={1024}
        error={errors.password}
        end={
          <button
            type="button"
            aria-label={passwordShown ? 'Hide password' : 'Show password'}
            onClick={() => setPasswordShown(!passwordShown)}
            className="grid size-9 place-items-center rounded-md text-muted hover:text-ink"
          >
            {passwordShown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        }
      />
      <Button type="submit" busy={sending} className="w-full">
        {sending ? <SpinnerIcon /> : null}
        {sending ? 'Signing in…' : 'Sign in'}
      </Button>
      <p role="status" className="sr-only">
        {sending ? 'Signing in' : ''}
      </p>
    </form>
  );
}
