import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getToken } from 'next-auth/jwt';
import { cache } from 'react';
import { getServices } from '@/server/database';
import { findStaff } from '@/server/domain/staff/sign-in';
import { env } from '@/server/env';

export type StaffSession = NonNullable<Awaited<ReturnType<typeof findStaff>>>;

type TokenRequest = Parameters<typeof getToken>[0]['req'];

/**
 * Who is signed in, with their memberships as of now: a revoked membership or a raised session version ends the
 * session at the next request. Looked up once per request; null for a stranger.
 */
export const getStaffSession = cache(async (): Promise<StaffSession | null> => {
  const { AUTH_SECRET, PUBLIC_ORIGIN } = env();
  // No headers: next-auth would take a bearer token too, and that would be a second way in.
  const request = { cookies: await cookies(), headers: {} } as unknown as TokenRequest;
  const token = await getToken({
    req: request,
    secret: AUTH_SECRET,
    secureCookie: PUBLIC_ORIGIN.startsWith('https:'),
  });
  if (!token?.sub || typeof token.sessionVersion !== 'number') return null;
  return findStaff(getServices(), { userId: token.sub, sessionVersion: token.sessionVersion });
});

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
