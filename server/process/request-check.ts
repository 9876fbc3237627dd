import type { IncomingMessage } from 'node:http';

export interface Refusal {
  status: number;
  text: string;
  /** The methods that the service supports, for a 405. */
  allow?: string;
}

/** This machine's own names. No other machine can be reached by them, so no web site can take them over. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
/** Load balancers call these by address. They reveal nothing. */
const healthPaths = ['/api/health', '/api/ready'];

/**
 * Creates the check of a request's method and host. A web site could point its own name to this machine (DNS rebinding)
 * and read what is meant for this machine's browsers only: the service answers to its own names alone.
 */
export function createRequestCheck(publicOrigin: string, allowedHosts: readonly string[]) {
  const names = new Set([...loopbackNames, new URL(publicOrigin).hostname, ...allowedHosts]);
  return ({ method, url = '', headers, rawHeaders }: IncomingMessage): Refusal | null => {
    if (method === 'TRACE') {
      return { status: 405, text: 'TRACE is not supported.', allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };
    }
    const hosts = countHosts(rawHeaders);
    if (hosts > 1) return { status: 400, text: 'The request has more than one Host header.' };
    if (healthPaths.includes(url)) return null;
    if (headers.host === undefined) return { status: 400, text: 'The request has no Host header.' };
    if (names.has(headers.host.replace(/:\d*$/, '').toLowerCase())) return null;
    const text = `The service does not answer to this host name. Use ${publicOrigin}, or add the name to ALLOWED_HOSTS.`;
    return { status: 421, text };
  };
}

/** Node keeps the first of several Host headers, where a proxy may have acted on the last. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
