import { useEffect, useState } from 'react';
import type { Account } from '@/server/domain/diners';
import { createDinerClient } from '../diner-client';

export type Member = Pick<Account, 'customer' | 'points' | 'storedValue'>;

/**
 * Returns the customer who is signed in with the merchant on this phone, and what they hold; null for nobody, or not known
 * yet. It is read after the page has been painted, and again when `due` on the table's bill changes: they may have used some.
 */
export function useMember(merchantId: string | null, due: number | null): Member | null {
  const [member, setMember] = useState<Member | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is due tells when to read again
  useEffect(() => {
    if (merchantId === null) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    // Whose session has ended, or who has not joined, sees the page as anybody does.
    createDinerClient({ merchantId })
      .account.get.query(undefined, { signal })
      .then(setMember, () => {});
    return () => leaving.abort();
  }, [merchantId, due]);
  return member;
}
