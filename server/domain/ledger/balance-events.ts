import type { Tx } from '@/db/client';
import type { BalanceCause } from '@/db/lists';
import type { Merchant } from '../kernel/context';
import { sendEvents, wantsEvent } from '../kernel/events';
import { nothing, spendable } from './balance';

interface BalanceChange {
  customerIds: string[];
  cause: BalanceCause;
  now: Date;
}

/** Sends an event with each customer's new balance. Call it behind the change, while holding the locks of the balances. */
export async function sendBalanceEvents(
  tx: Tx,
  merchant: Merchant,
  { customerIds, cause, now }: BalanceChange,
): Promise<void> {
  if (customerIds.length === 0 || !wantsEvent(merchant, 'balance.changed')) return;
  const rows = await spendable(tx, customerIds, now);
  const values = new Map(rows.map((row) => [row.customerId, row]));
  sendEvents(
    tx,
    customerIds.map((customerId) => {
      const { principal, bonus, points } = values.get(customerId) ?? nothing;
      const data = {
        customerId,
        currency: merchant.currency,
        storedValue: { balance: principal + bonus, principal, bonus },
        points: { balance: points, worth: points * merchant.pointValue },
        cause,
      };
      return { type: 'balance.changed', storeId: null, occurredAt: now, data };
    }),
  );
}
