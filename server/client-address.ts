import type { IncomingMessage, Server } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { Logger } from './log';

/**
 * The network address of who asks, at the front door. Each of our own proxies adds the address it was called from at the
 * end of `X-Forwarded-For`, some with the caller's port, which changes with each connection; all before those is the
 * caller's own claim.
 */
export function addressOfConnection({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return own;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = withoutPort(forwarded.at(-trustedProxies)?.trim() ?? '');
  return isIP(address) ? address : own;
}

/** `203.0.113.7:51234` and `[2001:db8::1]:443` as the address alone. */
const withoutPort = (text: string): string =>
  /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** The same behind the front door, by the header that it has set: it is the only one that Next is reached through. */
export const addressFromFrontDoor = (forwardedFor: unknown): string =>
  typeof forwardedFor === 'string' ? forwardedFor : 'unknown';

/** Whether such an address is this machine itself. */
export const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(address);

/** Says once that proxies seem to stand before a server that trusts none: then all clients would count as one. */
export function warnOfProxies(server: Server, log: Logger): void {
  const look = ({ headers }: IncomingMessage) => {
    if (!headers['x-forwarded-for']) return;
    server.off('request', look);
    log.warn('a request has X-Forwarded-For, and TRUSTED_PROXIES is 0: if that is a proxy of yours, set it');
  };
  // First: the front door puts its own in that header.
  server.prependListener('request', look);
}

/** What counts as one client: an IPv4 address, or the 64-bit network of an IPv6 one, as a client has all of it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const [start, end] = [head.split(':').filter(Boolean), (tail ?? '').split(':').filter(Boolean)];
  const zeros = tail === undefined ? 0 : 8 - start.length - end.length;
  const groups = [...start, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...end];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
