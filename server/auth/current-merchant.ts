import { cookies } from 'next/headers';
import type { Membership } from '@/server/domain/staff/sign-in';
import { env } from '@/server/env';
import type { StaffSession } from './session';

/** The cookie of the merchant that a person switched to last. It grants nothing: each request looks memberships up. */
function cookieName(): string {
  return isHttps() ? '__Host-merchant' : 'merchant';
}
const isHttps = () => env().PUBLIC_ORIGIN.startsWith('https:');
const yearSeconds = 365 * 24 * 60 * 60;

/** The merchant that a new page is for: the one last switched to, else the first; null for who works for none. */
export async function currentMembership({ memberships }: StaffSession): Promise<Membership | null> {
  const chosen = (await cookies()).get(cookieName())?.value;
  return memberships.find(({ merchantId }) => merchantId === chosen) ?? memberships[0] ?? null;
}

/** Has pages open with that merchant from now on. False where the person does not work for it. */
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
