import { isUniqueViolation, withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { endSessions } from '../diners/session';
import type { StaffContext } from '../staff/context';
import { checkProfile, fieldTaken } from './enrol';
import { lockCustomer } from './lock';
import type { EditCustomerInput } from './schemas';

/**
 * Changes what is known of a customer. The audit says which fields, and nothing of what is in them.
 * Errors: `customer_not_found`; `customer_exists`, `invalid_request` at the field.
 */
export async function editCustomer(
  ctx: StaffContext,
  { customerId, ...given }: EditCustomerInput,
): Promise<{ customerId: string }> {
  const profile = checkProfile(ctx.merchant, given, ctx.clock.now());
  const { givenName, lastName, phone, email, birthday } = profile;
  const edited = withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const before = await lockCustomer(tx, customerId);
    const known = { ...before, givenName: before.given_name, lastName: before.last_name } as Record<string, unknown>;
    const fields = Object.entries(profile).flatMap(([name, value]) => (known[name] === value ? [] : [name]));
    if (fields.length === 0) return;
    await Promise.all([
      sql`
        update customers set given_name = ${givenName}, last_name = ${lastName}, phone = ${phone}, email = ${email},
          birthday = ${birthday}
        where merchant_id = ${merchantId} and id = ${customerId}`,
      // Who has the old phone is somebody else now.
      ...(fields.includes('phone') ? [endSessions(tx, customerId)] : []),
      auditStaff(tx, ctx, 'customer.edit', { kind: 'customer', id: customerId }, { after: { fields } }),
      announce(tx, 'customers'),
    ]);
  });
  await edited.catch((error) => {
    if (isUniqueViolation(error, 'customers_phone')) throw fieldTaken('phone');
    if (isUniqueViolation(error, 'customers_email')) throw fieldTaken('email');
    throw error;
  });
  return { customerId };
}
