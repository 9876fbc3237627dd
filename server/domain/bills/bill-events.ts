import type { Tx } from '@/db/client';
import type { EventType } from '@/db/lists';
import type { Merchant } from '../kernel/context';
import { sendEvents, wantsEvent } from '../kernel/events';
import { describeBill, figuresOfBill, type LoadedBill } from './load';

interface BillChange {
  merchant: Pick<Merchant, 'eventTypes' | 'currency'>;
  bill: LoadedBill;
  type: Extract<EventType, `bill.${string}`>;
  /** Whether nothing was due before. */
  wasPaid: boolean;
  now: Date;
}

/** Sends an event with the bill as it now is, and `bill.paid` if nothing is due since. */
export function sendBillEvents(tx: Tx, { merchant, bill, type, wasPaid, now }: BillChange): void {
  const isPaidNow = bill.row.state === 'open' && !wasPaid && figuresOfBill(bill, now).isPaid;
  const types = [type, ...(isPaidNow ? (['bill.paid'] as const) : [])].filter((one) => wantsEvent(merchant, one));
  if (types.length === 0) return;
  const data = describeBill(bill, merchant.currency, now);
  const { storeId } = bill.row;
  sendEvents(
    tx,
    types.map((one) => ({ type: one, storeId, occurredAt: now, data })),
  );
}
