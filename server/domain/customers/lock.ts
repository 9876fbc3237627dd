import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/client';
import { only } from '@/db/queries';
import { customers } from '@/db/schema';
import { lockBalance } from '../ledger/balance';
import { customerNotFound } from './locate';

/**
 * A customer whom staff are about to change, locked until the database transaction ends, with all that is theirs.
 * Errors: `customer_not_found`, also where the personal data was erased: nothing changes from then on.
 */
export async function lockCustomer(tx: Tx, customerId: string) {
  const { merchantId, db } = tx;
  const { givenName, lastName, phone, email, birthday, erasedAt, messagesOptedOutAt } = customers;
  const [held, [customer]] = await Promise.all([
    lockBalance(tx, customerId),
    db
      .select({ givenName, lastName, phone, email, birthday, erasedAt, messagesOptedOutAt })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId))),
  ]);
  if (!customer || customer.erasedAt !== null) throw customerNotFound();
  return { ...customer, ...only(held) };
}
