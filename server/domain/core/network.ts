import { isIPv6 } from 'node:net';

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
