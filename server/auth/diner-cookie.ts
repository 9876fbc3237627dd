import { sessionSeconds } from '@/server/domain/identity';
import type { DeviceCookie } from '@/server/domain/kernel/device-marks';

/** The cookies of a diner's phone. Each merchant has its own session, so that a phone can be signed in with several. */
export interface DinerCookie {
  /** Returns the session's token, or null. */
  read(merchantId: string): string | null;
  write(merchantId: string, token: string): void;
  clear(merchantId: string): void;
  /** It stays after signing out. */
  device: DeviceCookie;
}

const yearSeconds = 365 * 24 * 60 * 60;

/** Over https, a cookie is bound to this host (`__Host-`), so that no neighbour on the same domain can set one. */
const ownName = (publicOrigin: string, name: string) => `${publicOrigin.startsWith('https:') ? '__Host-' : ''}${name}`;

export const dinerCookieName = (publicOrigin: string, merchantId: string): string =>
  ownName(publicOrigin, `diner-${merchantId}`);

/** Reads the cookies from a request's headers, and writes them to the response's. */
export function dinerCookie(request: Headers, answer: Headers, publicOrigin: string): DinerCookie {
  const secure = publicOrigin.startsWith('https:') ? '; Secure' : '';
  const read = (name: string) => {
    const cookies = (request.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
    return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  };
  const set = (name: string, value: string, seconds: number) =>
    answer.append('set-cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`);
  const sessionName = (merchantId: string) => dinerCookieName(publicOrigin, merchantId);
  const deviceName = ownName(publicOrigin, 'diner-device');
  return {
    read: (merchantId) => read(sessionName(merchantId)) || null,
    write: (merchantId, token) => set(sessionName(merchantId), token, sessionSeconds),
    clear: (merchantId) => set(sessionName(merchantId), '', 0),
    device: { read: () => read(deviceName), write: (value) => set(deviceName, value, yearSeconds) },
  };
}
