import { withMerchant } from '@/db/client';
import type { Services } from '../core/context';
import { balancesById } from '../customers/balances';
import { listLedger } from '../customers/history';
import { isFresh } from './pin';
import type { DinerCustomer } from './session';

const historyPage = 20;

/** What a customer sees of their own: what they hold now, and how it is with their PIN. */
export async function getAccount(services: Services, { merchant, customerId, verifiedAt }: DinerCustomer) {
  const now = services.clock.now();
  const [balances, [row]] = await Promise.all([
    balancesById({ ...services, merchant }, customerId),
    withMerchant(
      services.db,
      merchant.id,
      ({ merchantId, sql }) => sql`
        select b.blocked_at, p.locked_until, c.messages_opted_out_at from balances b
        join customers c on c.merchant_id = b.merchant_id and c.id = b.customer_id
        left join customer_pins p on p.merchant_id = b.merchant_id and p.customer_id = b.customer_id
        where b.merchant_id = ${merchantId} and b.customer_id = ${customerId}`,
    ),
  ]);
  const lockedUntil: Date | null = row?.locked_until ?? null;
  return {
    ...balances,
    isBlocked: Boolean(row?.blocked_at),
    wantsMessages: !row?.messages_opted_out_at,
    pinLockedUntil: lockedUntil !== null && lockedUntil > now ? lockedUntil : null,
    /** Whether a first PIN can be set without a code. */
    isFresh: isFresh(verifiedAt, services.systemClock.now()),
  };
}
export type Account = Awaited<ReturnType<typeof getAccount>>;

/** What became of a customer's value, newest first; without what is between the merchant and its staff. */
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
