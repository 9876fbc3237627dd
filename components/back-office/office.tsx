'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { StaffRole } from '@/server/domain/core/context';

export interface OfficeFacts {
  merchant: {
    id: string;
    name: string;
    currency: string;
    country: string;
    timeZone: string;
    locale: string;
    /** How far the merchant's clock is ahead of the world's; 0 but in a sandbox. */
    clockAheadSeconds: number;
  };
  person: { name: string; email: string; role: StaffRole };
  /** All merchants that the person works for. */
  memberships: { merchantId: string; merchantName: string }[];
  isSandbox: boolean;
}

const context = createContext<OfficeFacts | null>(null);

export const OfficeProvider = ({ facts, children }: { facts: OfficeFacts; children: ReactNode }) => (
  <context.Provider value={facts}>{children}</context.Provider>
);

/** Who is signed in, and for which merchant this page was made. */
export function useOffice(): OfficeFacts {
  const facts = useContext(context);
  if (!facts) throw new Error('useOffice is for the screens of the back office');
  return facts;
}

/** Whether the person is one of `roles`. Screens hide what would be refused; the procedures refuse it. */
export const useIsRole = (...roles: StaffRole[]): boolean => roles.includes(useOffice().person.role);
