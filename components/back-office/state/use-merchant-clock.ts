import { useCallback } from 'react';
import { useOffice } from '../shell/office';

/** The merchant's clock. A sandbox's may have been advanced. */
export function useMerchantClock(): () => Date {
  const { clockAheadSeconds } = useOffice().merchant;
  return useCallback(() => new Date(Date.now() + clockAheadSeconds * 1000), [clockAheadSeconds]);
}
