/** What an API key may do, and from where. */
import { type FormerKeyScope, formerKeyScopes, type KeyScope, keyScopes, tillScopes } from '@/db/kinds/lists';
import { hasAddress, networkList } from '../kernel/networks';

/** The scope that an operation needs: `read` if it changes nothing, which every key may; `all` for all of a till's. */
export type NeededScope = KeyScope | 'read' | 'all';

/** The scopes that a key needs, all of them, for an operation. */
export const scopesNeeded = (needed: NeededScope): readonly KeyScope[] =>
  needed === 'read' ? [] : needed === 'all' ? tillScopes : [needed];

export const mayCall = (scopes: readonly KeyScope[], needed: NeededScope): boolean =>
  scopesNeeded(needed).every((scope) => scopes.includes(scope));

const formerly: Record<FormerKeyScope, readonly KeyScope[]> = {
  all: tillScopes,
  ordering: ['ordering', 'bills'],
  loyalty: ['loyalty'],
  read: [],
};

/** Returns a key's scopes. A key that has only the one of earlier releases keeps what that allowed. */
export const scopesOf = ({ scope, scopes }: { scope: FormerKeyScope; scopes: KeyScope[] | null }): KeyScope[] =>
  scopes ?? [...formerly[scope]];

/** Returns how to store scopes. Earlier releases, which know one scope, then let the key do no more than these. */
export function storedScopes(chosen: readonly KeyScope[]): { scope: FormerKeyScope; scopes: KeyScope[] } {
  const scopes = keyScopes.filter((scope) => chosen.includes(scope));
  const scope = formerKeyScopes.findLast((former) => formerly[former].every((one) => scopes.includes(one))) ?? 'read';
  return { scope, scopes };
}

/**
 * Returns whether one of `networks` (CIDR, such as `203.0.113.0/24`) contains the address. An empty list contains all.
 */
export const worksFrom = (networks: string[], address: string): boolean =>
  networks.length === 0 || hasAddress(networkList(networks), address);
