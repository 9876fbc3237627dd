import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import type { EventType } from '@/db/kinds/lists';
import { type Given, prepare } from '@/db/query/queries';
import { qrCodes } from '@/db/schema';
import { announceChange, changesChannel } from '../kernel/changes';
import type { Merchant } from '../kernel/context';
import { sendEvents, wantsEvent } from '../kernel/events';
import { describeBill } from './describe';
import { type BillName, figuresOfBill, type LoadedBill } from './load';

interface BillChange {
  merchant: Pick<Merchant, 'eventTypes' | 'currency'>;
  bill: LoadedBill;
  now: Date;
}

type BillEventType = Extract<EventType, `bill.${string}`>;

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

/** Notifies open screens and the table's phones of a change, and sends events with the bill's current state. */
export function sendBillEvents(tx: Tx, { merchant, bill, now }: BillChange, ...types: BillEventType[]): void {
  const { merchantId, db, send } = tx;
  const { storeId, billId } = bill.row;
  send(announceChange(tx, 'bills'), notifyTables(db, { merchantId, storeId, billId }));
  const wanted = types.filter((type) => wantsEvent(merchant, type));
  if (wanted.length === 0) return;
  const data = describeBill(bill, merchant.currency, now);
  sendEvents(
    tx,
    wanted.map((type) => ({ type, storeId, occurredAt: now, data })),
  );
}

/** The same of a change that can pay a bill: with `bill.paid` if the bill is paid now, and was not before (`wasPaid`). */
export function sendBillUpdate(tx: Tx, { wasPaid, ...change }: BillChange & { wasPaid: boolean }): void {
  const { bill, now } = change;
  const isPaidNow = bill.row.state === 'open' && !wasPaid && figuresOfBill(bill, now).isPaid;
  if (isPaidNow) sendBillEvents(tx, change, 'bill.updated', 'bill.paid');
  else sendBillEvents(tx, change, 'bill.updated');
}
