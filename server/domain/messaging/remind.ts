import { type Tx, withMerchant } from '@/db/client';
import { recordRun } from '../automations/record-run';
import { endOfDayAfter } from '../core/calendar';
import type { Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { merchantNow } from '../merchants/merchant-time';
import { queueNotices } from './notices';

const daysBefore = 7;
/** How many lots or vouchers one database transaction looks at. */
const batchSize = 1_000;

/**
 * Queues the notices of what expires by the end of the seventh day from today, in each merchant's time: one for a
 * customer and a time of expiry, however many lots and vouchers end then. Late, or killed and run again, it tells of
 * what has not expired yet. What is given after the day's run and ends within these days has no reminder. Answers how
 * many it queued. Errors: the first fault, once all other merchants are done.
 */
export async function remindOfExpiry(services: Services): Promise<number> {
  const merchants = await services.db.sql<{ merchantId: string }[]>`
    select merchant_id as "merchantId" from merchants_that_remind()`;
  let total = 0;
  const remind = async (merchant: { merchantId: string }) => {
    total += await remindOfExpiryOf(services, merchant);
  };
  await eachInTurn(merchants, remind, services.stopping);
  return total;
}

/** The same, of one merchant. */
export async function remindOfExpiryOf(
  services: Services,
  { merchantId, runId }: { merchantId: string; runId?: string },
): Promise<number> {
  let total = 0;
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => withMerchant(services.db, merchantId, work);
  await recordRun(services, { merchantId, runId, task: 'remind-of-expiry' }, async (note) => {
    const span = await inTransaction((tx) => findSpan(tx, services));
    if (span === null) return;
    for (const read of [bonusLots, openVouchers]) {
      let last: Expiry | null = { expiresAt: span.from, customerId: lastId };
      while (last !== null) {
        const after: Expiry = last;
        last = await inTransaction(async (tx) => {
          const { merchant, now } = await merchantNow(tx, services);
          const found = await read(tx, after, span.until);
          const queued = (await queueNotices(tx, merchant, 'value-expiring', eachOnce(found), now))?.count ?? 0;
          await note(tx, queued);
          total += queued;
          return found.length === batchSize ? (found.at(-1) ?? null) : null;
        });
        // The next run starts over: customers who have their notice get no other.
        if (last !== null && services.stopping?.aborted) return;
      }
    }
    await inTransaction(
      ({ sql }) => sql`
        update merchants set reminded_through = ${span.until}
        where id = ${merchantId} and (reminded_through is null or reminded_through < ${span.until})`,
    );
  });
  return total;
}

/** What expires after `from` and by `until` needs a notice; null where all has one, or nothing is to have one. */
async function findSpan(tx: Tx, services: Services): Promise<{ from: Date; until: Date } | null> {
  const { merchant, now } = await merchantNow(tx, services);
  if (!merchant.noticeKinds.includes('value-expiring')) return null;
  const [row] = await tx.sql`select reminded_through from merchants where id = ${tx.merchantId}`;
  const told: Date | null = row?.reminded_through ?? null;
  const until = endOfDayAfter(now, daysBefore, merchant.timeZone);
  if (told !== null && told >= until) return null;
  return { from: told !== null && told > now ? told : now, until };
}

/** What a customer holds that ends then. */
interface Expiry {
  expiresAt: Date;
  customerId: string;
}

/** Sorts behind every other. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const bonusLots = ({ merchantId, sql }: Tx, { expiresAt, customerId }: Expiry, until: Date) => sql<Expiry[]>`
  select expires_at as "expiresAt", customer_id as "customerId" from lots
  where merchant_id = ${merchantId} and open and part = 'bonus' and expires_at is not null
    and (expires_at, customer_id) > (${expiresAt}, ${customerId}) and expires_at <= ${until}
  order by expires_at, customer_id ${sql.unsafe(`limit ${batchSize}`)}`;

const openVouchers = ({ merchantId, sql }: Tx, { expiresAt, customerId }: Expiry, until: Date) => sql<Expiry[]>`
  select expires_at as "expiresAt", customer_id as "customerId" from vouchers
  where merchant_id = ${merchantId} and redeemed_at is null and cancelled_at is null and expires_at is not null
    and (expires_at, customer_id) > (${expiresAt}, ${customerId}) and expires_at <= ${until}
  order by expires_at, customer_id ${sql.unsafe(`limit ${batchSize}`)}`;

function eachOnce(found: Expiry[]) {
  const notices = found.map(({ expiresAt, customerId }) => ({ customerId, subject: expiresAt.toISOString() }));
  return [...new Map(notices.map((notice) => [`${notice.customerId} ${notice.subject}`, notice])).values()];
}
