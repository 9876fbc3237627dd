import { createHash } from 'node:crypto';
import { decode, getToken, type JWT } from 'next-auth/jwt';

type Request = Parameters<typeof getToken>[0]['req'];
/** A request's cookies, as Next reads them. */
export interface CookieJar {
  getAll(): { name: string; value: string }[];
}

/** The secret that new cookies are made with, and one that is accepted besides while it is rotated. */
export type Secrets = [string, ...string[]];

/** Decrypts a session cookie's token with whichever of the secrets opens it. Errors: any, if none does. */
export const decodeToken = (secrets: Secrets, token: string | undefined): Promise<JWT | null> =>
  Promise.any(secrets.map((secret) => decode({ token, secret })));

/** Returns the token in a next-auth session cookie, or null. A token that none of the secrets opens counts as none. */
export function readSessionToken(jar: CookieJar, secrets: Secrets, cookieName: string): Promise<JWT | null> {
  // Headers are left empty: next-auth would also accept a bearer token, which would be a second way in.
  const request = { cookies: jar, headers: {} } as unknown as Request;
  return getToken({
    req: request,
    secret: secrets[0],
    cookieName,
    decode: ({ token }) => decodeToken(secrets, token),
  });
}

/**
 * Returns the secret that signed the request's CSRF cookie, else the first: next-auth checks it with one only, and
 * another instance may have written it.
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
