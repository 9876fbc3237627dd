import { sessionSeconds } from '@/server/domain/customers';

/** The cookie of a diner's session. Each merchant has its own, so that a phone can be signed in with several. */
export interface DinerCookie {
  /** Returns the session's token, or null. */
  read(merchantId: string): string | null;
  write(merchantId: string, token: string): void;
  clear(merchantId: string): void;
}

/** Over https the cookie is bound to this host (`__Host-`), so that no neighbour on the same domain can plant one. */
export const dinerCookieName = (publicOrigin: string, merchantId: string): string =>
  `${publicOrigin.startsWith('https:') ? '__Host-' : ''}diner-${merchantId}`;

/** Reads the cookie from a request's headers, and writes it to the response's. */
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
