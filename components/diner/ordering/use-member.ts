import { useEffect, useState } from 'react';
import type { Account } from '@/server/domain/diners';
import { createDinerClient } from '../diner-client';

export type Member = Pick<Account, 'customer' | 'points' | 'storedValue'>;

/**
 * Returns the customer who is signed in with the merchant on this phone, and what they hold; null if signed out or not
 * known yet. It is read after the page has been painted, and again when `due` on the table's bill changes, because the
 * customer may have used something.
 */
export function useMember(merchantId: string | null, due: number | null): Member | null {
  const [member, setMember] = useState<Member | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is due tells when to read again
  useEffect(() => {
    if (merchantId === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    // If the session has ended, or the diner has not joined, the page is the same as for everyone.
    createDinerClient({ merchantId })
      .account.get.query(undefined, { signal })
      .then(setMember, () => {});
    return () => leaving.abort();
  }, [merchantId, due]);
  return member;
}
