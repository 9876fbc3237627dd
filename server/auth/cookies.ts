import type { CookiesOptions } from 'next-auth';

/**
 * Names and options of next-auth's cookies. Over https, all are bound to this host (`__Host-`), so that no neighbour on
 * the same domain can set one. next-auth's own names would bind only one of the three.
 */
export function authCookies(publicOrigin: string) {
  const secure = publicOrigin.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
  return {
    sessionToken: { name: `${prefix}next-auth.session-token`, options },
    csrfToken: { name: `${prefix}next-auth.csrf-token`, options },
    callbackUrl: { name: `${prefix}next-auth.callback-url`, options },
  } satisfies Partial<CookiesOptions>;
}
