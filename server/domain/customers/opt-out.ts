import { and, eq } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customersOfPhone } from '@/db/query/functions';
import { customers } from '@/db/schema';
import { type DinerCustomer, lockCustomer } from '../identity';
import { type Actor, auditChange } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { withMerchantClockById } from '../merchants';

/**
 * Sets whether a customer gets notices. PINs and codes that customers request are always sent. Errors:
 * `customer_not_found`.
 */
export function setMessagesByStaff(
  ctx: StaffContext,
  { customerId, wantsMessages }: { customerId: string; wantsMessages: boolean },
): Promise<void> {
  const actor: Actor = { kind: 'staff', id: ctx.staff.userId };
  return withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    setMessages(tx, actor, { customerId, wantsMessages, now: ctx.clock.now() }),
  );
}

/** Sets the customer's own choice. Errors: `customer_not_found`. */
export function setOwnMessages(
  { db, clock }: Services,
  { merchant, customerId }: DinerCustomer,
  { wantsMessages }: { wantsMessages: boolean },
): Promise<void> {
  const choice = { customerId, wantsMessages, now: clock.now() };
  return withMerchant(db, merchant.id, (tx) => setMessages(tx, byCustomer, choice));
}

/**
 * Opts a phone (E.164) out with every merchant that has it, because all of them send from the number that it replied
 * to.
 */
export async function optPhoneOut(services: Services, phone: string): Promise<void> {
  const { $rows, ...customer } = customersOfPhone({ number: phone });
  for (const { merchantId, customerId } of await services.db.pool.select(customer).from($rows)) {
    const { clock } = await withMerchantClockById(services, merchantId);
    await withMerchant(services.db, merchantId, (tx) =>
      setMessages(tx, byCustomer, { customerId, wantsMessages: false, now: clock.now() }),
    );
  }
}

const byCustomer: Actor = { kind: 'diner', id: null };

async function setMessages(
  tx: Tx,
  actor: Actor,
  { customerId, wantsMessages, now }: { customerId: string; wantsMessages: boolean; now: Date },
): Promise<void> {
  const { merchantId, db } = tx;
  const before = await lockCustomer(tx, customerId);
  if ((before.messagesOptedOutAt === null) === wantsMessages) return;
  await Promise.all([
    db
      .update(customers)
      .set(wantsMessages ? { messagesOptedInAt: now, messagesOptedOutAt: null } : { messagesOptedOutAt: now })
      .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId))),
    auditChange(tx, actor, 'customer.messages', { kind: 'customer', id: customerId }, now, {
      after: { wantsMessages },
    }),
    announceChange(tx, 'customers'),
  ]);
}
