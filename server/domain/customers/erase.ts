import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import {
  balances,
  customerNotes,
  customerPins,
  customers,
  dinerCodes,
  dinerSessions,
  events,
  messages,
  vouchers,
  webhookDeliveries,
} from '@/db/schema';
import { endSessions, forgetImported, lockCustomer } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import { sendEvents, wantsEvent } from '../kernel/events';
import { say } from '../kernel/say';

type CustomerRow = typeof customers.$inferInsert;
type KeptColumn =
  | 'merchantId'
  | 'id'
  | 'privacyAcceptedAt'
  | 'messagesOptedInAt'
  | 'messagesOptedOutAt'
  | 'joinedAt'
  | 'erasedAt'
  | 'mergedInto'
  | 'createdAt';

/** What remains of the person. Add each new column here, or above if it says nothing about the person. */
const erased = {
  givenName: 'Erased customer',
  lastName: '',
  phone: null,
  email: null,
  birthday: null,
  tags: [],
  language: null,
  signUpVouchersDue: false,
  mergeUndo: null,
} satisfies Required<Omit<CustomerRow, KeptColumn>>;

const isUnsent = inArray(messages.state, ['queued', 'inbox']).inlineParams();

/**
 * Erases a customer's identity for good, with that of the duplicates merged into them. Ledger entries are kept without
 * it. Remaining value and vouchers can no longer be used. Someone who returns with the same phone number becomes a new
 * customer. Errors: `customer_not_found`.
 */
export async function eraseCustomer(ctx: StaffContext, { customerId }: { customerId: string }): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const now = ctx.clock.now();
    const { phone, email } = await lockCustomer(tx, customerId);
    // Duplicates merged into the customer: the same person under other contact details. Their balances were blocked by
    // the merge.
    const aliases = await db
      .select({ id: customers.id, phone: customers.phone, email: customers.email })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), eq(customers.mergedInto, customerId)));
    const identities = [{ id: customerId, phone, email }, ...aliases];
    for (const identity of identities) await forgetImported(tx, identity);
    const ids = identities.map(({ id }) => id);
    const phones = identities.flatMap((identity) => identity.phone ?? []);
    await Promise.all([
      // Codes come first, because a concurrent sign-in locks them first.
      db.delete(dinerCodes).where(and(eq(dinerCodes.merchantId, merchantId), anyOf(dinerCodes.phone, phones))),
      // This deletes the search terms, too.
      db
        .update(customers)
        .set({ ...erased, erasedAt: now })
        .where(and(eq(customers.merchantId, merchantId), anyOf(customers.id, ids))),
      db
        .update(balances)
        .set({ blockedAt: sql`coalesce(${balances.blockedAt}, ${now})` })
        .where(and(eq(balances.merchantId, merchantId), eq(balances.customerId, customerId))),
      endSessions(tx, customerId),
      // Sessions of these phones without a customer, and messages sent to them before they were this customer's.
      db.delete(dinerSessions).where(and(eq(dinerSessions.merchantId, merchantId), anyOf(dinerSessions.phone, phones))),
      db
        .update(messages)
        .set({ customerId, phone: null })
        .where(and(eq(messages.merchantId, merchantId), anyOf(messages.phone, phones))),
      db
        .delete(customerNotes)
        .where(and(eq(customerNotes.merchantId, merchantId), anyOf(customerNotes.customerId, ids))),
      db
        .delete(customerPins)
        .where(and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, customerId))),
      db
        .update(messages)
        .set({
          secret: null,
          providerId: null,
          updatedAt: now,
          state: sql`case when ${isUnsent} then 'failed' else ${messages.state} end`,
          failure: sql`case when ${isUnsent} then ${sql.param(say('customerErased'), messages.failure)} else ${messages.failure} end`,
        })
        .where(and(eq(messages.merchantId, merchantId), anyOf(messages.customerId, ids))),
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
      db
        .update(events)
        .set({ data: null })
        .where(and(eq(events.merchantId, merchantId), anyOf(events.customerId, ids))),
      // A receiver's response may repeat what it was sent.
      db
        .update(webhookDeliveries)
        .set({ response: null })
        .where(
          and(
            eq(webhookDeliveries.merchantId, merchantId),
            inArray(
              webhookDeliveries.eventId,
              db
                .select({ id: events.id })
                .from(events)
                .where(and(eq(events.merchantId, merchantId), anyOf(events.customerId, ids))),
            ),
          ),
        ),
      auditStaff(tx, ctx, 'customer.erase', { kind: 'customer', id: customerId }),
      ...(['customers', 'customerImports', 'messages', 'campaigns', 'vouchers'] as const).map((topic) =>
        announceChange(tx, topic),
      ),
    ]);
    if (!wantsEvent(ctx.merchant, 'customer.erased')) return;
    sendEvents(
      tx,
      ids.map((id) => {
        const data = { customerId: id, erasedAt: now.toISOString() };
        return { type: 'customer.erased', storeId: null, occurredAt: now, data };
      }),
    );
  });
}
