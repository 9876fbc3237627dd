import { cookies, headers } from 'next/headers';
import type { Browser } from '@/server/domain/access';
import { env } from '@/server/environment/env';
import { officeLanguage } from '@/server/intl/language';
import { addressFromFrontDoor } from '@/server/limits/client-address';

const yearSeconds = 365 * 24 * 60 * 60;

/** Returns the browser that sent the request. In a route, its device cookie can be written. */
export async function requestBrowser(): Promise<Browser> {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  const secure = env().PUBLIC_ORIGIN.startsWith('https:');
  const name = secure ? '__Host-device' : 'device';
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: yearSeconds } as const;
  return {
    client: addressFromFrontDoor(sent.get('x-forwarded-for')),
    userAgent: sent.get('user-agent') ?? '',
    language: await officeLanguage(),
    device: { read: () => jar.get(name)?.value, write: (value) => void jar.set(name, value, options) },
  };
}
