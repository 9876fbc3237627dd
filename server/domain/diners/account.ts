import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/client';
import { anyOf } from '@/db/expressions';
import { type Given, prepare } from '@/db/queries';
import { balances, customerPins, customers, menuItems } from '@/db/schema';
import { balancesById } from '../accounts';
import type { DinerCustomer } from '../customers';
import type { Services } from '../kernel/context';
import { isFresh } from './pin';

const findState = prepare((db, given: Given<{ merchantId: string; customerId: string }>) => {
  const { merchantId, customerId, blockedAt } = balances;
  return db
    .select({ blockedAt, lockedUntil: customerPins.lockedUntil, messagesOptedOutAt: customers.messagesOptedOutAt })
    .from(balances)
    .innerJoin(customers, and(eq(customers.merchantId, merchantId), eq(customers.id, customerId)))
    .leftJoin(customerPins, and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, customerId)))
    .where(and(eq(merchantId, given.merchantId), eq(customerId, given.customerId)));
});

/** Returns a customer's own view: balances and the state of the PIN. */
export async function getAccount(services: Services, { merchant, customerId, verifiedAt }: DinerCustomer) {
  const now = services.clock.now();
  const [held, [row]] = await Promise.all([
    balancesById({ ...services, merchant }, customerId),
    withMerchant(services.db, merchant.id, ({ merchantId, db }) => findState(db, { merchantId, customerId })),
  ]);
  const lockedUntil = row?.lockedUntil ?? null;
  const plus = held.vouchers.flatMap((voucher) => voucher.plus);
  return {
    ...held,
    isBlocked: Boolean(row?.blockedAt),
    /** The names of the vouchers' items, by PLU. */
    itemNames: await namesOf(services, merchant.id, plus),
    wantsMessages: !row?.messagesOptedOutAt,
    pinLockedUntil: lockedUntil !== null && lockedUntil > now ? lockedUntil : null,
    /** Whether a first PIN can be set without a code. */
    isFresh: isFresh(verifiedAt, services.systemClock.now()),
  };
}
export type Account = Awaited<ReturnType<typeof getAccount>>;

/** Returns the names of items on the menu, by PLU. */
async function namesOf({ db }: Services, merchantId: string, plus: string[]): Promise<Record<string, string>> {
  if (plus.length === 0) return {};
  const rows = await withMerchant(
    db,
    merchantId,
    async (tx) =>
      await tx.db
        .select({ plu: menuItems.plu, name: menuItems.name })
        .from(menuItems)
        .where(and(eq(menuItems.merchantId, tx.merchantId), anyOf(menuItems.plu, [...new Set(plus)]))),
  );
  return Object.fromEntries(rows.map(({ plu, name }) => [plu, name]));
}
