/** What an API key may do, and from where. */
import type { KeyScope } from '@/db/kinds/lists';
import { hasAddress, networkList } from '../kernel/networks';

/** The scope that an operation needs; `read` if it changes nothing. */
export type Area = KeyScope;

/** Every key may read. */
export const coversArea = (scope: KeyScope, area: Area): boolean =>
  scope === 'all' || area === 'read' || scope === area;

/**
 * Returns whether one of `networks` (CIDR, such as `203.0.113.0/24`) contains the address. An empty list contains all.
 */
export const worksFrom = (networks: string[], address: string): boolean =>
  networks.length === 0 || hasAddress(networkList(networks), address);
