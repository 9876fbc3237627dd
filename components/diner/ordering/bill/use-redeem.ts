import { useRef } from 'react';
import { randomId } from '../../random-id';
import { useBillPage } from './bill-context';

/** What is redeemed, and the amount it takes off the bill. */
export interface Choice {
  name: string;
  amount: number;
  what:
    | { kind: 'voucher'; voucherCode: string; amount: number }
    | { kind: 'points'; points: number }
    | { kind: 'storedValue'; amount: number };
}

/**
 * Redeems a choice once, however often it is sent, because it keeps its id until it is refused. Resolves to the amount
 * taken off.
 */
export function useRedeem() {
  const { client } = useBillPage();
  const ids = useRef(new Map<string, string>());
  return async ({ what }: Choice, pin?: string): Promise<number> => {
    const key = JSON.stringify(what);
    const requestId = ids.current.get(key) ?? randomId();
    ids.current.set(key, requestId);
    try {
      const { amount } = await client.bill.redeem.mutate({ requestId, ...what, pin });
      ids.current.delete(key);
      return amount;
    } catch (error) {
      const reason = (error as { data?: { reason?: string | null } }).data?.reason;
      if (reason && !reason.startsWith('pin_')) ids.current.delete(key);
      throw error;
    }
  };
}
