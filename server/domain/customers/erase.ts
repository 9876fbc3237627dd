import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/client';
import { balances, customerPins, customers, dinerCodes, dinerSessions, messages, vouchers } from '@/db/schema';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import type { StaffContext } from '../core/context';
import { say } from '../core/say';
import { forgetImported } from '../customer-imports/forget';
import { endSessions } from '../diners/session';
import { lockCustomer } from './lock';

/** What stands in the place of a name. */
const nobody = 'Erased customer';

const isUnsent = inArray(messages.state, ['queued', 'inbox']).inlineParams();

/**
 * Forgets who a customer is, for ever: the ledger stays, of nobody. What is left of value and vouchers can't be used any
 * more; whoever comes back with the same phone number is a new customer. Errors: `customer_not_found`.
 */
export async function eraseCustomer(ctx: StaffContext, { customerId }: { customerId: string }): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const now = ctx.clock.now();
    const { phone, email } = await lockCustomer(tx, customerId);
    await forgetImported(tx, { phone, email });
    // Null finds nobody.
    const thePhone = sql`${phone}`;
    await Promise.all([
      // The code first, as a sign-in that is under way has locked it first.
      db.delete(dinerCodes).where(and(eq(dinerCodes.merchantId, merchantId), eq(dinerCodes.phone, thePhone))),
      // Takes the search terms along.
      db
        .update(customers)
        .set({
          ...{ givenName: nobody, lastName: '', phone: null, email: null, birthday: null, language: null },
          erasedAt: now,
        })
        .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId))),
      db
        .update(balances)
        .set({ blockedAt: sql`coalesce(${balances.blockedAt}, ${now})` })
        .where(and(eq(balances.merchantId, merchantId), eq(balances.customerId, customerId))),
      endSessions(tx, customerId),
      // Strangers' sessions of the same phone, and what was sent to it before it was this customer's.
      db.delete(dinerSessions).where(and(eq(dinerSessions.merchantId, merchantId), eq(dinerSessions.phone, thePhone))),
      db
        .update(messages)
        .set({ customerId, phone: null })
        .where(and(eq(messages.merchantId, merchantId), eq(messages.phone, thePhone))),
      db
        .delete(customerPins)
        .where(and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, customerId))),
      db
        .update(messages)
        .set({
          ...{ secret: null, providerId: null, updatedAt: now },
          state: sql`case when ${isUnsent} then 'failed' else ${messages.state} end`,
          failure: sql`case when ${isUnsent} then ${sql.param(say('customerErased'), messages.failure)} else ${messages.failure} end`,
        })
        .where(and(eq(messages.merchantId, merchantId), eq(messages.customerId, customerId))),
      db
        .update(vouchers)
        .set({ cancelledAt: now, cancelReason: 'the customer was erased' })
        .where(
          and(
            eq(vouchers.merchantId, merchantId),
            eq(vouchers.customerId, customerId),
            isNull(vouchers.redeemedAt),
            isNull(vouchers.cancelledAt),
            or(isNull(vouchers.expiresAt), gt(vouchers.expiresAt, now)),
          ),
        ),
      auditStaff(tx, ctx, 'customer.erase', { kind: 'customer', id: customerId }),
      ...(['customers', 'customerImports', 'messages', 'campaigns', 'vouchers'] as const).map((topic) =>
        announce(tx, topic),
      ),
    ]);
  });
}
