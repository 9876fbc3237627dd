import type { AuthenticationResponseJSON } from '@simplewebauthn/browser';

export type SignInOutcome =
  | { kind: 'signedIn' }
  | { kind: 'wrongCredentials' }
  | { kind: 'tooManyAttempts'; retryAfterSeconds: number }
  | { kind: 'unavailable' };

const timeoutMs = 15_000;

function readOutcome(answer: Response, address: string): SignInOutcome {
  const { searchParams } = new URL(address, window.location.origin);
  const [code, detail] = (searchParams.get('error') ?? '').split(':');
  if (code === 'CredentialsSignin') return { kind: 'wrongCredentials' };
  if (code === 'too_many_attempts') return { kind: 'tooManyAttempts', retryAfterSeconds: Number(detail) || 60 };
  // `csrf` is next-auth's parameter for a token that did not match its cookie. The sign-in then failed, although the
  // status is 200.
  const signedIn = answer.ok && !code && !searchParams.has('csrf');
  return { kind: signedIn ? 'signedIn' : 'unavailable' };
}

/** Asks the server to sign in. On success, the session cookie is set. Never throws. */
export const requestSignIn = (credentials: { email: string; password: string }): Promise<SignInOutcome> =>
  request('credentials', credentials);

/** Signs in with a device's response for its passkey. */
export const requestPasskeySignIn = (response: AuthenticationResponseJSON): Promise<SignInOutcome> =>
  request('passkey', { passkey: JSON.stringify(response) });

async function request(provider: 'credentials' | 'passkey', fields: Record<string, string>): Promise<SignInOutcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const csrfAnswer = await fetch('/api/auth/csrf', { signal });
    const { csrfToken } = (await csrfAnswer.json()) as { csrfToken: string };
    const answer = await fetch(`/api/auth/callback/${provider}`, {
      method: 'POST',
      signal,
      body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: '/home', json: 'true' }),
    });
    const { url } = (await answer.json()) as { url: string };
    return readOutcome(answer, url);
  } catch {
    return { kind: 'unavailable' };
  }
}
