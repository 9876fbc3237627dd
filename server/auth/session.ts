import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { findStaff } from '@/server/domain/staff/sign-in';
import { env } from '@/server/env';
import { getServices } from '@/server/services';
import { tokenOfCookies } from './cookie-token';
import { authCookies } from './cookies';

export type StaffSession = NonNullable<Awaited<ReturnType<typeof findStaff>>>;

/**
 * Who is signed in by these cookies, with their memberships as of now: a revoked membership or a raised session version
 * ends the session at the next request. Null for a stranger.
 */
export async function staffOfCookies(jar: Awaited<ReturnType<typeof cookies>>): Promise<StaffSession | null> {
  const { AUTH_SECRET, PUBLIC_ORIGIN } = env();
  const token = await tokenOfCookies(jar, AUTH_SECRET, authCookies(PUBLIC_ORIGIN).sessionToken.name);
  if (!token?.sub || typeof token.sessionVersion !== 'number') return null;
  return findStaff(getServices(), { userId: token.sub, sessionVersion: token.sessionVersion });
}

/** Who is signed in; looked up once per request. */
export const getStaffSession = cache(async () => staffOfCookies(await cookies()));

/** For public pages, which show without the database too: then everybody is a stranger. */
export async function isSignedIn(): Promise<boolean> {
  const session = await getStaffSession().catch(() => null);
  return session !== null;
}

/** For screens: sends a stranger to sign in and back again. Every page calls it, as layouts do not run each time. */
export async function requireStaffSession(): Promise<StaffSession> {
  const session = await getStaffSession();
  if (session) return session;
  const path = (await headers()).get('x-request-path') ?? '/home';
  redirect(`/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}
