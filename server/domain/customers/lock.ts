import type { Row } from 'postgres';
import type { Tx } from '@/db/client';
import { lockBalance } from '../ledger/balance';
import { customerNotFound } from './locate';

/**
 * A customer whom staff are about to change, locked until the database transaction ends, with all that is theirs.
 * Errors: `customer_not_found`, also where the personal data was erased: nothing changes from then on.
 */
export async function lockCustomer(tx: Tx, customerId: string): Promise<Row> {
  const { merchantId, sql } = tx;
  const [[held], [customer]] = await Promise.all([
    lockBalance(tx, customerId),
    sql`
      select given_name, last_name, phone, email, birthday::text as birthday, erased_at, messages_opted_out_at
      from customers
      where merchant_id = ${merchantId} and id = ${customerId}`,
  ]);
  if (!customer || customer.erased_at !== null) throw customerNotFound();
  return { ...customer, ...held };
}
