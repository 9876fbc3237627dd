import { useCallback } from 'react';
import { useOffice } from '../office/office';
import { businessDateIn } from './local-days';

/** The merchant's clock. A sandbox's may have been advanced. */
export function useMerchantClock(): () => Date {
  const { clockAheadSeconds } = useOffice().merchant;
  return useCallback(() => new Date(Date.now() + clockAheadSeconds * 1000), [clockAheadSeconds]);
}

/** The merchant's day, `YYYY-MM-DD`. */
export const useToday = (): string => businessDateIn(useOffice().merchant, useMerchantClock()());
