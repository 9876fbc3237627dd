import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/client';
import { type Given, prepare } from '@/db/queries';
import { balances, customerPins, customers } from '@/db/schema';
import { balancesById, listLedger } from '../accounts';
import type { DinerCustomer } from '../customers';
import type { Services } from '../kernel/context';
import { isFresh } from './pin';

const historyPage = 20;

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
  return {
    ...held,
    isBlocked: Boolean(row?.blockedAt),
    wantsMessages: !row?.messagesOptedOutAt,
    pinLockedUntil: lockedUntil !== null && lockedUntil > now ? lockedUntil : null,
    /** Whether a first PIN can be set without a code. */
    isFresh: isFresh(verifiedAt, services.systemClock.now()),
  };
}
export type Account = Awaited<ReturnType<typeof getAccount>>;

/** Returns a customer's history, newest first, without the details meant for staff. */
export async function getHistory(
  services: Services,
  { merchant, customerId }: DinerCustomer,
  { after }: { after?: string | undefined },
) {
  const page = await listLedger({ ...services, merchant }, { customerId, after, limit: historyPage });
  return {
    items: page.items.map(({ uid, type, status, storeName, total, occurredAt, moved }) => ({
      uid,
      type,
      isVoided: status === 'voided',
      storeName,
      total,
      occurredAt,
      moved,
    })),
    nextCursor: page.nextCursor,
  };
}
export type HistoryItem = Awaited<ReturnType<typeof getHistory>>['items'][number];
