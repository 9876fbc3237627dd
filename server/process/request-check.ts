import type { IncomingMessage } from 'node:http';
import { isHostOfCells } from '../domain/kernel/cells';
import type { Services } from '../domain/kernel/context';

export interface Refusal {
  status: number;
  text: string;
  /** The methods that the service supports, for a 405. */
  allow?: string;
  /** Where to go instead. */
  location?: string;
}

/** This machine's own names. They lead to no other machine, so no web site can use them for itself. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
/** Load balancers call these by IP address. They reveal nothing. */
const healthPaths = ['/api/health', '/api/ready'];

type Site = Pick<Services, 'publicOrigin' | 'cell'>;

/**
 * Creates the check of a request's method and host. A web site could point its own name to this machine (DNS rebinding)
 * and read what only this machine's browsers should see. So the service answers to its own names only.
 */
export function createRequestCheck({ publicOrigin, cell }: Site, allowedHosts: readonly string[]) {
  const names = new Set([...loopbackNames, new URL(publicOrigin).hostname, ...allowedHosts]);
  const apiHost = cell && new URL(cell.apiOrigin).hostname;
  return ({ method, url = '', headers, rawHeaders }: IncomingMessage): Refusal | null => {
    if (method === 'TRACE') {
      return { status: 405, text: 'TRACE is not supported.', allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };
    }
    const hosts = countHosts(rawHeaders);
    if (hosts > 1) return { status: 400, text: 'The request has more than one Host header.' };
    if (healthPaths.includes(url)) return null;
    if (headers.host === undefined) return { status: 400, text: 'The request has no Host header.' };
    const name = headers.host.replace(/:\d*$/, '').toLowerCase();
    // Sessions belong to the cell's own host: what people open at the address of the API is there.
    if (name === apiHost && !url.startsWith('/api/') && (method === 'GET' || method === 'HEAD')) {
      return { status: 307, text: `This is at ${publicOrigin}.`, location: `${publicOrigin}${url}` };
    }
    if (names.has(name) || (cell && isHostOfCells(cell, name))) return null;
    const text = `The service does not answer to this host name. Use ${publicOrigin}, or add the name to ALLOWED_HOSTS.`;
    return { status: 421, text };
  };
}

/** Node keeps the first of several Host headers, but a proxy may have acted on the last. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
