/** What an API key may do, and from where. */
import { BlockList, isIPv6 } from 'node:net';
import type { KeyScope } from '@/db/lists';

/** What an operation is part of. `read`: it changes nothing. */
export type Area = Exclude<KeyScope, 'all'>;

/** Every key may read. */
export const coversArea = (scope: KeyScope, area: Area): boolean =>
  scope === 'all' || area === 'read' || scope === area;

/** Returns whether one of `networks` (CIDR, such as `203.0.113.0/24`) has the address. None given: any address. */
export function hasAddress(networks: string[], address: string): boolean {
  if (networks.length === 0) return true;
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', prefix] = network.split('/');
    list.addSubnet(start, Number(prefix), familyOf(start));
  }
  const [withoutZone = ''] = address.split('%');
  return list.check(withoutZone, familyOf(withoutZone));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
