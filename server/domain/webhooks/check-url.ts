import { isIP } from 'node:net';
import type { Services } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { isLoopback, isPublicAddress } from '../kernel/networks';
import { say } from '../kernel/say';

type Deployment = Pick<Services, 'environment' | 'publicOrigin'>;

/**
 * True in a sandbox on a developer's own machine: its webhooks may also go to that machine, without TLS. If others can
 * reach a sandbox, it may not send to its own network.
 */
export const allowsOwnMachine = ({ environment, publicOrigin }: Deployment): boolean => {
  const { hostname } = new URL(publicOrigin);
  return environment === 'sandbox' && (hostname === 'localhost' || isLoopback(hostname));
};

/**
 * Refuses addresses to which webhooks are never sent, so that the owner learns it at once. The address behind a name is
 * checked when a webhook is sent. Errors: `invalid_request`.
 */
export function checkUrl(deployment: Deployment, address: string): void {
  const { protocol, hostname, username, password } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isOwnMachine = host === 'localhost' || isLoopback(host);
  const isLocal = allowsOwnMachine(deployment);
  if (protocol !== 'https:' && !(isLocal && isOwnMachine)) throw invalid('url', say('notAnHttpsUrl'));
  if (username !== '' || password !== '') throw invalid('url', say('urlWithPassword'));
  if (isOwnMachine ? !isLocal : isIP(host) && !isPublicAddress(host)) throw invalid('url', say('notPublic'));
}
