import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { profileOf } from '@/db/kinds/lists';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { customerPins, customers } from '@/db/schema';
import { type EventSettings, sendEvents, wantsEvent } from '../kernel/events';
import { birthdayFields, type Customer } from './schemas';

interface CustomerChange {
  type: 'customer.enrolled' | 'customer.updated';
  customerIds: string[];
  now: Date;
}

/** Sends an event with each customer's current data. Call it after the change. */
export async function sendCustomerEvents(
  tx: Tx,
  settings: EventSettings,
  { type, customerIds, now }: CustomerChange,
): Promise<void> {
  if (customerIds.length === 0 || !wantsEvent(settings, type)) return;
  const found = await readCustomers(tx, customerIds);
  sendEvents(
    tx,
    found.map((data) => ({ type, storeId: null, customerId: data.customerId, occurredAt: now, data })),
  );
}

/** Reads customers as the API describes them. */
export async function readCustomers({ merchantId, db }: Tx, customerIds: string[]): Promise<Customer[]> {
  const rows = await read(db, { merchantId, customerIds });
  return rows.map(({ joinedAt, ...row }) => ({
    ...row,
    ...birthdayFields(row.birthday),
    joinedAt: joinedAt.toISOString(),
  }));
}

const read = prepare((db, given: Given<{ merchantId: string; customerIds: string[] }>) => {
  const { merchantId, id, joinedAt } = customers;
  const hasPin = sql<boolean>`${customerPins.customerId} is not null`;
  return db
    .select({ customerId: id, ...profileOf(customers), joinedAt, hasPin })
    .from(customers)
    .leftJoin(customerPins, and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, id)))
    .where(and(eq(merchantId, given.merchantId), anyOf(id, given.customerIds)));
});
