import { getToken, type JWT } from 'next-auth/jwt';

type Request = Parameters<typeof getToken>[0]['req'];
/** A request's cookies, as Next reads them. */
interface CookieJar {
  getAll(): { name: string; value: string }[];
}

/** Returns the token in a next-auth session cookie, or null. A token made with another secret counts as none. */
export function readSessionToken(jar: CookieJar, secret: string, cookieName: string): Promise<JWT | null> {
  // Headers are left empty: next-auth would also accept a bearer token, which would be a second way in.
  const request = { cookies: jar, headers: {} } as unknown as Request;
  return getToken({ req: request, secret, cookieName });
}
