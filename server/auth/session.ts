import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { findStaff, findWaitingSession, type SessionCookie } from '@/server/domain/access';
import { env, secretsOf } from '@/server/process/env';
import { getServices } from '@/server/process/services';
import { readSessionToken } from './cookie-token';
import { authCookies } from './cookies';

export type StaffSession = NonNullable<Awaited<ReturnType<typeof findStaff>>>;

/**
 * Returns the person who is signed in by these cookies, with current memberships, or null. So the end of a session or
 * membership takes effect at the next request. `isUse` is false for requests of a page that is only open.
 */
export async function readStaffSession(
  jar: Awaited<ReturnType<typeof cookies>>,
  { isUse = true }: { isUse?: boolean } = {},
): Promise<StaffSession | null> {
  const cookie = await readSessionCookie(jar);
  return cookie && findStaff(getServices(), cookie.token, { isUse });
}

/** Returns the content of the session's cookie. The session may have ended, or may wait for the second step. */
export async function readSessionCookie(jar: Awaited<ReturnType<typeof cookies>>): Promise<SessionCookie | null> {
  const secrets = secretsOf(env(), 'AUTH_SECRET');
  const token = await readSessionToken(jar, secrets, authCookies(env().PUBLIC_ORIGIN).sessionToken.name);
  return token?.sub && token.sessionToken ? { userId: token.sub, token: token.sessionToken } : null;
}

/** For the sign-in page: the person whose sign-in waits for the second step in this browser, or null. */
export async function getWaitingSession() {
  const cookie = await readSessionCookie(await cookies());
  return cookie && findWaitingSession(getServices(), cookie);
}

/** For the sign-in page: true if this browser has the cookie of a session, which may have ended. */
export const hasSessionCookie = async (): Promise<boolean> => (await readSessionCookie(await cookies())) !== null;

/** Who is signed in. Looked up once per request. */
export const getStaffSession = cache(async () => readStaffSession(await cookies()));

/** For public pages, which also work without the database. Everyone then counts as signed out. */
export async function isSignedIn(): Promise<boolean> {
  const session = await getStaffSession().catch(() => null);
  return session !== null;
}

/**
 * For screens: if no one is signed in, redirects to the sign-in and back. Every page calls it, because layouts do not
 * run each time.
 */
export async function requireStaffSession(): Promise<StaffSession> {
  const session = await getStaffSession();
  if (session) return session;
  const path = (await headers()).get('x-request-path') ?? '/home';
  redirect(`/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}
