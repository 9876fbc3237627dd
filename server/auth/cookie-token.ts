import { getToken, type JWT } from 'next-auth/jwt';

type Request = Parameters<typeof getToken>[0]['req'];
/** A request's cookies, as Next reads them. */
interface CookieJar {
  getAll(): { name: string; value: string }[];
}

/** The token in a session cookie of next-auth's, or null; made by any other secret, it is none. */
export function tokenOfCookies(jar: CookieJar, secret: string, cookieName: string): Promise<JWT | null> {
  // No headers: next-auth would take a bearer token too, and that would be a second way in.
  const request = { cookies: jar, headers: {} } as unknown as Request;
  return getToken({ req: request, secret, cookieName });
}
