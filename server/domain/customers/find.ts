import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { balances, customers } from '@/db/schema';
import { customerCondition, displayName, keptId, toE164 } from '../identity';
import type { StaffContext } from '../kernel/context';
import type { ListedCustomer } from './list';
import { countLookUp } from './look-ups';
import type { FindCustomerInput } from './schemas';

type FoundCustomer = Pick<ListedCustomer, 'customerId' | 'name' | 'phone' | 'email' | 'isBlocked'>;

/**
 * Finds the customer with exactly this phone number (in any notation) or e-mail address; null if there is none. For a
 * merged customer, finds the one that was kept. Errors: `too_many_attempts` for a cashier.
 */
export async function findCustomer(
  ctx: StaffContext,
  { phoneOrEmail }: FindCustomerInput,
): Promise<FoundCustomer | null> {
  const { db, merchant } = ctx;
  const isEmail = phoneOrEmail.includes('@');
  const key = isEmail ? phoneOrEmail.toLowerCase() : toE164(phoneOrEmail, merchant.country);
  if (key === null) return null;
  await countLookUp(ctx, null);
  const [found] = await withMerchant(db, merchant.id, async (tx) => {
    const [row] = await tx.db
      .select({ id: keptId })
      .from(customers)
      .where(and(eq(customers.merchantId, merchant.id), customerCondition(isEmail ? 'email' : 'phone', key)))
      .limit(1);
    if (!row) return [];
    const { id, givenName, lastName, phone, email } = customers;
    return tx.db
      .select({ customerId: id, givenName, lastName, phone, email, blockedAt: balances.blockedAt })
      .from(customers)
      .innerJoin(balances, and(eq(balances.merchantId, customers.merchantId), eq(balances.customerId, id)))
      .where(and(eq(customers.merchantId, merchant.id), eq(id, row.id)))
      .limit(1);
  });
  if (!found) return null;
  const { givenName, lastName, blockedAt, ...contact } = found;
  return { ...contact, name: displayName({ givenName, lastName, ...contact }), isBlocked: blockedAt !== null };
}
