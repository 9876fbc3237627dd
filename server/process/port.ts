import { lookup } from 'node:dns/promises';
import { listenProblem } from '@/db/operations/ports';
import { StartupError } from '@/db/startup-error';
import { hasAddress, networkList } from '../domain/kernel/networks';
import type { Env } from '../environment/env';

/** Addresses that can't be reached from the internet. */
const privateNetworks = networkList([
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]);

/**
 * Errors: `StartupError` if TRUSTED_PROXIES is a number and `HOST` is public. A client that calls the service past the
 * proxies could then forge its address. Looks `HOST` up if it is a name.
 */
export async function ensureListenerIsPrivate({ HOST, PORT, TRUSTED_PROXIES }: Env): Promise<void> {
  if (typeof TRUSTED_PROXIES !== 'number' || TRUSTED_PROXIES === 0) return;
  const found = await lookup(HOST, { all: true }).catch(({ code }: NodeJS.ErrnoException) => {
    throw portProblem(PORT, HOST, code);
  });
  if (found.length > 0 && found.every(({ address }) => hasAddress(privateNetworks, address))) return;
  throw new StartupError(
    `With TRUSTED_PROXIES=${TRUSTED_PROXIES}, whoever reaches ${HOST}:${PORT} past the proxies can claim any address: set ` +
      'HOST to a private address that only they reach, or TRUSTED_PROXIES to their addresses or networks.',
  );
}

/** Errors: `StartupError` with a one-line reason why the service can't listen there. It names the setting. */
export async function ensurePortIsFree(port: number, host: string, kind: PortKind = ''): Promise<void> {
  const problem = await listenProblem(port, host);
  if (problem !== null) throw portProblem(port, host, problem, kind);
}

/** The prefix of the address's settings. */
type PortKind = '' | 'METRICS_';

/** Describes in one line why listening failed, by the system's error code. */
export function portProblem(port: number, host: string, code: string | undefined, kind: PortKind = ''): StartupError {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken: stop what listens there, or set ${kind}PORT to another.`,
    EACCES: `Port ${port} may not be used by this user: set ${kind}PORT to one above 1023.`,
    EADDRNOTAVAIL: `${kind}HOST ${host} is no address of this machine.`,
  };
  return new StartupError(sentences[code ?? ''] ?? `The service cannot listen on ${host}:${port}: ${code}.`);
}
