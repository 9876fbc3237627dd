import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Builds a list of networks in CIDR notation (`203.0.113.0/24`) and single addresses, which must be valid. */
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

/** IANA's special addresses: this host, private networks, carriers' NAT, link-local (metadata of clouds), multicast … */
const special = networkList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Tunnels (Teredo, 6to4) lead to IPv4 addresses of any kind. The others are for documentation.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]);

/**
 * The part of IPv6 in public use. It excludes local and multicast addresses, and those that contain an IPv4 address
 * (mapped, NAT64).
 */
const globalUnicast = networkList(['2000::/3']);

/** True for an address on the internet; false for an address of a private or special network. */
export const isPublicAddress = (address: string): boolean =>
  (isIPv4(address) || (isIPv6(address) && hasAddress(globalUnicast, address))) && !hasAddress(special, address);
