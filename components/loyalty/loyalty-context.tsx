'use client';

import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef } from 'react';
import { createDinerClient, type DinerClient } from '../diner/diner-client';
import type { DinerLanguage, LoyaltyWords } from '../diner/words';
import { type LoyaltyMerchant, type Speech, speechOf } from './speech';

interface Loyalty extends Speech {
  merchant: LoyaltyMerchant;
  client: DinerClient;
  /** In a sandbox without a messenger: codes are shown in the back office. */
  hasNoMessenger: boolean;
  /** Whether a screen was shown before: the next takes the focus. */
  hasBegun: RefObject<boolean>;
}

const context = createContext<Loyalty | null>(null);

interface LoyaltyProviderProps {
  merchant: LoyaltyMerchant;
  language: DinerLanguage;
  words: LoyaltyWords;
  hasNoMessenger: boolean;
  children: ReactNode;
}

export function LoyaltyProvider({ merchant, language, words, hasNoMessenger, children }: LoyaltyProviderProps) {
  const hasBegun = useRef(false);
  const loyalty = useMemo(
    () => ({
      ...speechOf(merchant, language, words),
      merchant,
      client: createDinerClient({ merchantId: merchant.id }),
      hasNoMessenger,
      hasBegun,
    }),
    [merchant, language, words, hasNoMessenger],
  );
  return <context.Provider value={loyalty}>{children}</context.Provider>;
}

/** The merchant of an account page, how the page speaks, and the way to its procedures. */
export function useLoyalty(): Loyalty {
  const loyalty = useContext(context);
  if (!loyalty) throw new Error('outside of an account page');
  return loyalty;
}
