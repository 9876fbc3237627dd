import type { IncomingMessage, Server } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { hasAddress, truncateAddress } from '../domain/kernel/networks';
import type { Logger } from '../observe/log';

/** Our own proxies: their number, or their networks. */
export type TrustedProxies = number | BlockList;

/**
 * Returns the client's network address, for the front door. Each of our proxies appends the address of its caller to
 * `X-Forwarded-For`, some with the caller's port, which changes with each connection. Everything before that is only
 * claimed by the client.
 */
export function addressOfConnection({ headers, socket }: IncomingMessage, trusted: TrustedProxies): string {
  const peer = socket.remoteAddress ?? 'unknown';
  if (!isTrusted(peer, trusted)) return peer;
  return addressFromProxies([headers['x-forwarded-for'] ?? []].flat().join(','), trusted) ?? peer;
}

/**
 * True if a connection from this address comes from one of our proxies. If only their number is known, every connection
 * counts.
 */
export const isTrusted = (peer: string, trusted: TrustedProxies): boolean =>
  typeof trusted === 'number' ? trusted > 0 : hasAddress(trusted, peer);

/** Drops the trace that a request names, unless it comes through one of our proxies: anyone could make us record it. */
export function dropClaimedTrace({ headers, socket }: IncomingMessage, trusted: TrustedProxies): void {
  if (isTrusted(socket.remoteAddress ?? 'unknown', trusted)) return;
  for (const name of ['traceparent', 'tracestate', 'baggage']) delete headers[name];
}

/**
 * Returns the client's address that our proxies added to `X-Forwarded-For`: the last one that is not a proxy's. Null if
 * they added none or if there are no proxies, because all of it is then claimed by the client.
 */
export function addressFromProxies(forwardedFor: string, trusted: TrustedProxies): string | null {
  if (trusted === 0) return null;
  const hops = forwardedFor.split(',').map((hop) => withoutPort(hop.trim()));
  if (typeof trusted === 'number') {
    const client = hops.at(-trusted) ?? '';
    return isIP(client) ? client : null;
  }
  let client: string | null = null;
  for (const hop of hops.reverse()) {
    // Anything that is not an address comes from the client. The last proxy is then all that is known.
    if (!isIP(hop)) break;
    client = hop;
    if (!hasAddress(trusted, hop)) break;
  }
  return client;
}

/** Returns `203.0.113.7:51234` and `[2001:db8::1]:443` without the port. */
const withoutPort = (text: string): string =>
  /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/**
 * Returns the client's address behind the front door, from the header that the front door sets. Next can be reached
 * only through it.
 */
export const addressFromFrontDoor = (forwardedFor: unknown): string =>
  typeof forwardedFor === 'string' ? forwardedFor : 'unknown';

/** Warns once if requests seem to come through a proxy that is not trusted: all its clients count as one. */
export function warnOfProxies(server: Server, log: Logger, trusted: TrustedProxies): void {
  const warnOnce = ({ headers, socket }: IncomingMessage) => {
    const peer = socket.remoteAddress ?? 'unknown';
    if (!headers['x-forwarded-for'] || isTrusted(peer, trusted)) return;
    server.off('request', warnOnce);
    log.warn(
      { network: truncateAddress(peer) },
      'a request has X-Forwarded-For, and who sent it is none of TRUSTED_PROXIES: if that is a proxy of yours, add it',
    );
  };
  // Prepended, because the front door overwrites that header.
  server.prependListener('request', warnOnce);
}
