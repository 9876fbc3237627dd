import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

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

/** True for an address of this machine itself. */
export const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(address);

/**
 * Returns what counts as one client: an IPv4 address, or the 64-bit network of an IPv6 one, because a client owns all
 * of it.
 */
export function networkOf(address: string): string {
  return groupsOf(address)?.slice(0, 4).join(':') ?? withoutMapping(address);
}

/** Returns the IPv6 network that a client with a large one may own, `2001:db8:77::/48`; for others what counts as one client. */
export function siteOf(address: string): string {
  const groups = groupsOf(address);
  return groups ? `${groups.slice(0, 3).join(':')}::/48` : networkOf(address);
}

/** Returns the IPv6 network that a provider has, `2001:db8::/32`; null for other addresses. */
export function providerOf(address: string): string | null {
  const groups = groupsOf(address);
  return groups && `${groups.slice(0, 2).join(':')}::/32`;
}

const withoutMapping = (address: string) => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;

/** Returns the eight groups of an IPv6 address in their shortest form; null for another address. */
function groupsOf(address: string): string[] | null {
  if (!isIPv6(withoutMapping(address))) return null;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const [start, end] = [head.split(':').filter(Boolean), (tail ?? '').split(':').filter(Boolean)];
  const zeros = tail === undefined ? 0 : 8 - start.length - end.length;
  const groups = [...start, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...end];
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}

/** Returns a network that says where a client is without naming it: `203.0.113.0/24`, `2001:db8:77::/48`. */
export function truncateAddress(address: string): string {
  const site = siteOf(address);
  return isIP(site) === 4 ? `${site.split('.').slice(0, 3).join('.')}.0/24` : site;
}
