import { beforeEach, expect, test, vi } from 'vitest';

const secret = 'thirty-two characters, for tests only';

/** Returns the options of a service at that origin. */
async function optionsAt(PUBLIC_ORIGIN: string) {
  vi.resetModules();
  const settings = { DATABASE_URL: 'postgres://unused', AUTH_SECRET: secret, DATA_SECRET: secret, APP_ENV: 'sandbox' };
  Object.assign(process.env, settings, { PUBLIC_ORIGIN });
  const { authOptions } = await import('./options');
  return authOptions();
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
