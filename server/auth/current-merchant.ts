import { cookies } from 'next/headers';
import { cache } from 'react';
import { type Membership, memberContext } from '@/server/domain/access';
import type { StaffContext } from '@/server/domain/kernel/context';
import { env } from '@/server/process/env';
import { getServices } from '@/server/process/services';
import { getStaffSession, type StaffSession } from './session';

/**
 * Names the cookie with the merchant to which a person switched last. It grants nothing, because each request looks
 * memberships up.
 */
function cookieName(): string {
  return isHttps() ? '__Host-merchant' : 'merchant';
}
const isHttps = () => env().PUBLIC_ORIGIN.startsWith('https:');
const yearSeconds = 365 * 24 * 60 * 60;

/**
 * Returns the merchant for a new page: the one to which the person switched last, or else the first. Null without
 * memberships.
 */
async function currentMembership({ memberships }: StaffSession): Promise<Membership | null> {
  const chosen = (await cookies()).get(cookieName())?.value;
  return memberships.find(({ merchantId }) => merchantId === chosen) ?? memberships[0] ?? null;
}

/** Returns the signed-in person at the merchant of a new page; null without memberships. Looked up once per request. */
export const currentStaff = cache(async (): Promise<StaffContext | null> => {
  const session = await getStaffSession();
  const membership = session && (await currentMembership(session));
  return membership && memberContext(getServices(), session, membership.merchantId);
});

/** Opens pages with that merchant from now on. Returns false if the person is not a member. */
export async function switchMerchant({ memberships }: StaffSession, merchantId: string): Promise<boolean> {
  if (!memberships.some((one) => one.merchantId === merchantId)) return false;
  (await cookies()).set(cookieName(), merchantId, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(),
    path: '/',
    maxAge: yearSeconds,
  });
  return true;
}
