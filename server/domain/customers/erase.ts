import { withMerchant } from '@/db/client';
import { auditStaff } from '../core/audit';
import { announce } from '../core/changes';
import { forgetImported } from '../customer-imports/forget';
import { endSessions } from '../diners/session';
import type { StaffContext } from '../staff/context';
import { lockCustomer } from './lock';

/** What stands in the place of a name. */
const nobody = 'Erased customer';

/**
 * Forgets who a customer is, for ever: the ledger stays, of nobody. What is left of value and vouchers can't be used any
 * more; whoever comes back with the same phone number is a new customer. Errors: `customer_not_found`.
 */
export async function eraseCustomer(ctx: StaffContext, { customerId }: { customerId: string }): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const now = ctx.clock.now();
    const { phone, email } = await lockCustomer(tx, customerId);
    await forgetImported(tx, { phone, email });
    await Promise.all([
      // The code first, as a sign-in that is under way has locked it first.
      sql`delete from diner_codes where merchant_id = ${merchantId} and phone = ${phone}`,
      // Takes the search terms along.
      sql`
        update customers set given_name = ${nobody}, last_name = '', phone = null, email = null, birthday = null,
          language = null, erased_at = ${now}
        where merchant_id = ${merchantId} and id = ${customerId}`,
      sql`
        update balances set blocked_at = coalesce(blocked_at, ${now})
        where merchant_id = ${merchantId} and customer_id = ${customerId}`,
      endSessions(tx, customerId),
      // Strangers' sessions of the same phone, and what was sent to it before it was this customer's.
      sql`delete from diner_sessions where merchant_id = ${merchantId} and phone = ${phone}`,
      sql`
        update messages set customer_id = ${customerId}, phone = null
        where merchant_id = ${merchantId} and phone = ${phone}`,
      sql`delete from customer_pins where merchant_id = ${merchantId} and customer_id = ${customerId}`,
      sql`
        update messages set secret = null, provider_id = null, updated_at = ${now},
          state = case when state in ('queued', 'inbox') then 'failed' else state end,
          failure = case when state in ('queued', 'inbox') then 'the customer was erased' else failure end
        where merchant_id = ${merchantId} and customer_id = ${customerId}`,
      sql`
        update vouchers set cancelled_at = ${now}, cancel_reason = 'the customer was erased'
        where merchant_id = ${merchantId} and customer_id = ${customerId} and redeemed_at is null and cancelled_at is null
          and (expires_at is null or expires_at > ${now})`,
      auditStaff(tx, ctx, 'customer.erase', { kind: 'customer', id: customerId }),
      ...(['customers', 'customerImports', 'messages', 'campaigns', 'vouchers'] as const).map((topic) =>
        announce(tx, topic),
      ),
    ]);
  });
}
