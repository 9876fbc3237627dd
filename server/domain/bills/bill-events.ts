import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import type { EventType } from '@/db/kinds/lists';
import { type Given, prepare } from '@/db/query/queries';
import { qrCodes } from '@/db/schema';
import { announce, changesChannel } from '../kernel/changes';
import type { Merchant } from '../kernel/context';
import { sendEvents, wantsEvent } from '../kernel/events';
import { describeBill } from './describe';
import { type BillName, figuresOfBill, type LoadedBill } from './load';

interface BillChange {
  merchant: Pick<Merchant, 'eventTypes' | 'currency'>;
  bill: LoadedBill;
  type: Extract<EventType, `bill.${string}`>;
  /** True if nothing was due before the change. */
  wasPaid: boolean;
  now: Date;
}

/** Notifies the phones at the bill's table. */
const notifyTables = prepare((db, given: Given<{ merchantId: string } & BillName>) => {
  const { id, merchantId, storeId, billId, status } = qrCodes;
  const announcement = sql`json_build_object('merchantId', ${merchantId}, 'topic', 'tableBills', 'about', ${id})::text`;
  return db
    .select({ isSent: sql`pg_notify(${changesChannel}, ${announcement})` })
    .from(qrCodes)
    .where(
      and(
        eq(merchantId, given.merchantId),
        eq(storeId, given.storeId),
        eq(billId, given.billId),
        eq(status, 'active').inlineParams(),
      ),
    );
});

/**
 * Notifies open screens and the table's phones of a change. Sends an event with the bill's current state, and
 * `bill.paid` if nothing is due any more.
 */
export function sendBillEvents(tx: Tx, { merchant, bill, type, wasPaid, now }: BillChange): void {
  const { merchantId, db, send } = tx;
  const { storeId, billId } = bill.row;
  send(announce(tx, 'bills'), notifyTables(db, { merchantId, storeId, billId }));
  const isPaidNow = bill.row.state === 'open' && !wasPaid && figuresOfBill(bill, now).isPaid;
  const types = [type, ...(isPaidNow ? (['bill.paid'] as const) : [])].filter((one) => wantsEvent(merchant, one));
  if (types.length === 0) return;
  const data = describeBill(bill, merchant.currency, now);
  sendEvents(
    tx,
    types.map((one) => ({ type: one, storeId, occurredAt: now, data })),
  );
}
