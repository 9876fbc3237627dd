import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { balances } from '@/db/schema';
import { lockCustomer } from '../identity';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { StaffContext } from '../kernel/context';
import type { BlockInput } from './schemas';

/**
 * Blocks a customer from topping up and redeeming, from the next POS request on. Balances can still be read. Errors:
 * `customer_not_found`.
 */
export function blockCustomer(ctx: StaffContext, { customerId, reason }: BlockInput): Promise<void> {
  return setBlocked(ctx, customerId, ctx.clock.now(), { reason });
}

/** Errors: `customer_not_found`. */
export function unblockCustomer(ctx: StaffContext, { customerId }: { customerId: string }): Promise<void> {
  return setBlocked(ctx, customerId, null);
}

/** Blocking a blocked customer again keeps the first date and reason. */
async function setBlocked(
  ctx: StaffContext,
  customerId: string,
  blockedAt: Date | null,
  after?: object,
): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const before = await lockCustomer(tx, customerId);
    if ((before.blockedAt === null) === (blockedAt === null)) return;
    const action = blockedAt === null ? 'customer.unblock' : 'customer.block';
    await Promise.all([
      tx.db
        .update(balances)
        .set({ blockedAt })
        .where(and(eq(balances.merchantId, tx.merchantId), eq(balances.customerId, customerId))),
      auditStaff(tx, ctx, action, { kind: 'customer', id: customerId }, { after }),
      announceChange(tx, 'customers'),
    ]);
  });
}
