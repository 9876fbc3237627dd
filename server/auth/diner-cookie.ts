import { sessionSeconds } from '@/server/domain/diners/session';

/** The cookie of a diner's session: a merchant's own, so that a phone can be signed in with several. */
export interface DinerCookie {
  /** The session's token; null where there is none. */
  read(merchantId: string): string | null;
  write(merchantId: string, token: string): void;
  clear(merchantId: string): void;
}

/** Over https it is bound to this very host (`__Host-`), so that no neighbour on the same domain can plant one. */
export const dinerCookieName = (publicOrigin: string, merchantId: string): string =>
  `${publicOrigin.startsWith('https:') ? '__Host-' : ''}diner-${merchantId}`;

/** Read from a request's headers, and written to those of its answer. */
export function dinerCookie(request: Headers, answer: Headers, publicOrigin: string): DinerCookie {
  const secure = publicOrigin.startsWith('https:') ? '; Secure' : '';
  const set = (merchantId: string, token: string, seconds: number) =>
    answer.append(
      'set-cookie',
      `${dinerCookieName(publicOrigin, merchantId)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
    );
  return {
    read(merchantId) {
      const start = `${dinerCookieName(publicOrigin, merchantId)}=`;
      const cookies = (request.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
      return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) || null;
    },
    write: (merchantId, token) => set(merchantId, token, sessionSeconds),
    clear: (merchantId) => set(merchantId, '', 0),
  };
}
