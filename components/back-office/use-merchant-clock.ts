import { useCallback } from 'react';
import { useOffice } from './office';

/** What the merchant's clock shows: that of a sandbox may have been advanced. */
export function useMerchantClock(): () => Date {
  const { clockAheadSeconds } = useOffice().merchant;
  return useCallback(() => new Date(Date.now() + clockAheadSeconds * 1000), [clockAheadSeconds]);
}
