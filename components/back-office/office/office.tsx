'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { StaffRole } from '@/server/domain/kernel/context';

export interface OfficeFacts {
  merchant: {
    id: string;
    name: string;
    currency: string;
    country: string;
    timeZone: string;
    /** The hour at which a business day starts. */
    dayStartsAt: number;
    locale: string;
    /** How far the merchant's clock is ahead of real time; always 0 outside a sandbox. */
    clockAheadSeconds: number;
  };
  person: {
    name: string;
    email: string;
    role: StaffRole;
    /** False for someone who works for named stores only. */
    worksEverywhere: boolean;
    /** The open stores of someone who works for named stores, else empty. */
    storeNames: string[];
    /** When the merchant starts to demand a second factor that the person lacks; null otherwise. */
    secondFactorFrom: string | null;
  };
  /** The merchants that the person works for. */
  memberships: { merchantId: string; merchantName: string }[];
  /** False while the merchant demands a second factor that the person lacks. Its procedures then refuse the person. */
  isAdmitted: boolean;
  isSandbox: boolean;
  /** True if e-mails appear at `/sandbox-inbox` instead of being sent. */
  hasSandboxInbox: boolean;
}

const context = createContext<OfficeFacts | null>(null);

export const OfficeProvider = ({ facts, children }: { facts: OfficeFacts; children: ReactNode }) => (
  <context.Provider value={facts}>{children}</context.Provider>
);

/** Returns the signed-in person and the merchant that this page was rendered for. */
export function useOffice(): OfficeFacts {
  const facts = useContext(context);
  if (!facts) throw new Error('useOffice is for the screens of the back office');
  return facts;
}

/** True if the person has one of `roles`. Screens hide what the procedures would reject. */
export const useIsRole = (...roles: StaffRole[]): boolean => roles.includes(useOffice().person.role);

/** True for owners and for managers of all stores, who change what all stores share. */
export function useIsGeneralManager(): boolean {
  const { role, worksEverywhere } = useOffice().person;
  return role !== 'cashier' && worksEverywhere;
}
