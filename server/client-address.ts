import type { IncomingMessage } from 'node:http';

/**
 * The network address of who asks. Each of our own proxies adds the address it was called from at the end of
 * `X-Forwarded-For`; all before those is the caller's own claim.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return own;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  return forwarded.map((address) => address.trim()).at(-trustedProxies) || own;
}
