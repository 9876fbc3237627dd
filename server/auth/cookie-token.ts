import { createHash } from 'node:crypto';
import { decode, getToken, type JWT } from 'next-auth/jwt';

type Request = Parameters<typeof getToken>[0]['req'];
/** A request's cookies, as Next reads them. */
export interface CookieJar {
  getAll(): { name: string; value: string }[];
}

/** The secret that seals new cookies, and during a rotation another one that still opens old ones. */
export type Secrets = [string, ...string[]];

/** Decrypts a session cookie's token with the secret that opens it. Errors: any, if no secret does. */
export const decodeToken = (secrets: Secrets, token: string | undefined): Promise<JWT | null> =>
  Promise.any(secrets.map((secret) => decode({ token, secret })));

/** Returns the token in a next-auth session cookie, or null. A token that no secret opens counts as none. */
export function readSessionToken(jar: CookieJar, secrets: Secrets, cookieName: string): Promise<JWT | null> {
  // Without headers, because next-auth would also accept a bearer token there, which would be a second way in.
  const request = { cookies: jar, headers: {} } as unknown as Request;
  return getToken({
    req: request,
    secret: secrets[0],
    cookieName,
    decode: ({ token }) => decodeToken(secrets, token),
  });
}

/**
 * Returns the secret that signed the request's CSRF cookie, or else the first. next-auth checks with one secret only,
 * and another instance may have written the cookie.
 */
export function csrfSecretOf(jar: CookieJar, secrets: Secrets, cookieName: string): string {
  const [token, hash] =
    jar
      .getAll()
      .find(({ name }) => name === cookieName)
      ?.value.split('|') ?? [];
  const isSignedBy = (secret: string) => createHash('sha256').update(`${token}${secret}`).digest('hex') === hash;
  return secrets.find(isSignedBy) ?? secrets[0];
}
