import { BlockList, isIPv6 } from 'node:net';

/** Builds a list of networks in CIDR notation (`203.0.113.0/24`) and single addresses, which were checked before. */
export function networkList(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', prefix] = network.split('/');
    if (prefix === undefined) list.addAddress(start, familyOf(start));
    else list.addSubnet(start, Number(prefix), familyOf(start));
  }
  return list;
}

/** Returns whether one of the networks has the address. An IPv4 address may also be mapped (`::ffff:203.0.113.7`). */
export function hasAddress(list: BlockList, address: string): boolean {
  const [withoutZone = ''] = address.split('%');
  return list.check(withoutZone, familyOf(withoutZone));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
