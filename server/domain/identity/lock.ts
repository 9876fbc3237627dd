import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { profileOf } from '@/db/kinds/lists';
import { only } from '@/db/query/queries';
import { customers } from '@/db/schema';
import { lockBalance } from '../ledger';
import { customerMerged, customerNotFound } from './locate';

/**
 * Locks a customer, with everything they own, until the database transaction ends. Errors: `customer_not_found`, also
 * if the personal data was erased or the customer was merged into another: nothing may change after that.
 */
export async function lockCustomer(tx: Tx, customerId: string) {
  const { merchantId, db } = tx;
  const { erasedAt, mergedInto, messagesOptedOutAt } = customers;
  const [held, [customer]] = await Promise.all([
    lockBalance(tx, customerId),
    db
      .select({ ...profileOf(customers), erasedAt, mergedInto, messagesOptedOutAt })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId))),
  ]);
  if (!customer || customer.erasedAt !== null) throw customerNotFound();
  if (customer.mergedInto !== null) throw customerMerged();
  return { ...customer, ...only(held) };
}
