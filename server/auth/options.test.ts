import NextAuth from 'next-auth';
import { decode, encode } from 'next-auth/jwt';
import { beforeEach, describe, expect, test, vi } from 'vitest';

const secret = 'thirty-two characters, for tests only';

/** Returns the options of a service at that origin, for a request with these cookies. */
async function optionsAt(PUBLIC_ORIGIN: string, own: object = {}, cookies: Record<string, string> = {}) {
  vi.resetModules();
  const settings = { DATABASE_URL: 'postgres://unused', AUTH_SECRET: secret, DATA_SECRET: secret, APP_ENV: 'sandbox' };
  Object.assign(process.env, settings, { PUBLIC_ORIGIN, ...own });
  const { authOptions } = await import('./options');
  return authOptions({ getAll: () => Object.entries(cookies).map(([name, value]) => ({ name, value })) });
}

beforeEach(() => {
  const before = { ...process.env };
  return () => {
    process.env = before;
  };
});

test('over https, every session cookie is bound to the host and hidden from scripts and other sites', async () => {
  const { cookies, useSecureCookies } = await optionsAt('https://office.example.com');
  expect(useSecureCookies).toBe(true);
  expect(Object.values(cookies ?? {}).map(({ name }) => name)).toEqual([
    '__Host-next-auth.session-token',
    '__Host-next-auth.csrf-token',
    '__Host-next-auth.callback-url',
  ]);
  for (const { options } of Object.values(cookies ?? {})) {
    // Browsers accept a `__Host-` cookie only if it is secure, for the whole host, and without a domain.
    expect(options).toEqual({ httpOnly: true, sameSite: 'lax', path: '/', secure: true });
  }
});

test('over http, as in development, they have no prefix, because browsers would reject it', async () => {
  const { cookies } = await optionsAt('http://localhost:3000');
  for (const { name, options } of Object.values(cookies ?? {})) {
    expect(name).toMatch(/^next-auth\./);
    expect(options).toMatchObject({ httpOnly: true, sameSite: 'lax', secure: false });
  }
});

describe('while AUTH_SECRET is rotated', () => {
  const next = 'the next secret of tests, also with thirty-two characters';
  const origin = 'http://localhost:3000';
  const accepting = { AUTH_SECRET: secret, AUTH_SECRET_ALSO_ACCEPTED: next };
  const swapped = { AUTH_SECRET: next, AUTH_SECRET_ALSO_ACCEPTED: secret };

  /** Sends a request to next-auth. Returns the response and the cookies that it sets. */
  async function send(own: object, nextauth: string[], cookies: Record<string, string>, body?: object) {
    const options = await optionsAt(origin, own, cookies);
    const set = new Map<string, string>();
    let answer: unknown;
    const keep = (value: unknown) => {
      answer = value;
    };
    const response = {
      getHeader: () => undefined,
      setHeader: (header: string, value: string | string[]) => {
        if (header !== 'Set-Cookie') return;
        for (const cookie of [value].flat()) {
          const [, name = '', content = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          set.set(name, decodeURIComponent(content));
        }
      },
      status: () => response,
      json: keep,
      send: keep,
      end: () => {},
    };
    const request = { method: body ? 'POST' : 'GET', query: { nextauth }, headers: {}, cookies, body };
    await NextAuth(request as never, response as never, options);
    return { answer: answer as { csrfToken: string; url: string }, cookies: Object.fromEntries(set) };
  }

  test('a form that one instance signed is accepted by another, whichever secret it signs with', async () => {
    for (const [here, there] of [
      [accepting, swapped],
      [swapped, accepting],
    ] as const) {
      const { answer, cookies } = await send(here, ['csrf'], {});
      const form = { csrfToken: answer.csrfToken, email: '', password: '', json: 'true' };
      const signedIn = await send(there, ['callback', 'credentials'], cookies, form);
      expect(signedIn.answer.url).toContain('error=CredentialsSignin');
      const forged = await send(there, ['callback', 'credentials'], cookies, { ...form, csrfToken: 'x' });
      expect(forged.answer.url).toContain('csrf=true');
    }
  });

  test('a session goes on, and its cookie is written with the secret in use', async () => {
    const name = 'next-auth.session-token';
    const cookie = await encode({ token: { sub: 'ann', sessionToken: 'x' }, secret });
    const { cookies } = await send(swapped, ['session'], { [name]: cookie });
    expect(await decode({ token: cookies[name], secret: next })).toMatchObject({ sub: 'ann', sessionToken: 'x' });
  });
});
