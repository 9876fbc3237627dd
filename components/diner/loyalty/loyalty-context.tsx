'use client';

import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef } from 'react';
import { createDinerClient, type DinerClient } from '../diner-client';
import type { DinerLanguage, LoyaltyWords } from '../words';
import { type LoyaltyMerchant, type Speech, speechOf } from './speech';

interface Loyalty extends Speech {
  merchant: LoyaltyMerchant;
  client: DinerClient;
  /** True in a sandbox without a messenger, where the back office shows the codes. */
  hasNoMessenger: boolean;
  /** True once a screen was shown. The next screen gets the focus. */
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

/** Returns the merchant of an account page, its texts and formats, and its tRPC client. */
export function useLoyalty(): Loyalty {
  const loyalty = useContext(context);
  if (!loyalty) throw new Error('outside of an account page');
  return loyalty;
}
