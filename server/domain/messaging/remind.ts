import { and, eq, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/client';
import { merchantsThatRemind } from '@/db/functions';
import { only } from '@/db/queries';
import { lots, merchants, vouchers } from '@/db/schema';
import { recordRun } from '../automations/record-run';
import { endOfDayAfter } from '../core/calendar';
import type { Services } from '../core/context';
import { eachInTurn } from '../core/each-in-turn';
import { merchantNow } from '../merchants/merchant';
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
  const { $rows, merchantId } = merchantsThatRemind({});
  const due = await services.db.pool.select({ merchantId }).from($rows);
  let total = 0;
  const remind = async (merchant: { merchantId: string }) => {
    total += await remindOfExpiryOf(services, merchant);
  };
  await eachInTurn(due, remind, services.stopping);
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
    await inTransaction(({ db }) =>
      db
        .update(merchants)
        .set({ remindedThrough: span.until })
        .where(and(eq(merchants.id, merchantId), or(isNull(told), lt(told, span.until)))),
    );
  });
  return total;
}

const told = merchants.remindedThrough;

/** What expires after `from` and by `until` needs a notice; null where all has one, or nothing is to have one. */
async function findSpan(tx: Tx, services: Services): Promise<{ from: Date; until: Date } | null> {
  const { merchant, now } = await merchantNow(tx, services);
  if (!merchant.noticeKinds.includes('value-expiring')) return null;
  const row = only(await tx.db.select({ told }).from(merchants).where(eq(merchants.id, tx.merchantId)));
  const until = endOfDayAfter(now, daysBefore, merchant.timeZone);
  if (row.told !== null && row.told >= until) return null;
  return { from: row.told !== null && row.told > now ? row.told : now, until };
}

/** What a customer holds that ends then. */
interface Expiry {
  expiresAt: Date;
  customerId: string;
}

/** Sorts behind every other. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const bonusLots = ({ merchantId, db }: Tx, last: Expiry, until: Date) =>
  db
    .select(expiryOf(lots))
    .from(lots)
    .where(
      and(
        eq(lots.merchantId, merchantId),
        lots.open,
        eq(lots.part, 'bonus').inlineParams(),
        isBehind(lots, last),
        lte(lots.expiresAt, until),
      ),
    )
    .orderBy(lots.expiresAt, lots.customerId)
    .limit(batchSize);

const openVouchers = ({ merchantId, db }: Tx, last: Expiry, until: Date) =>
  db
    .select(expiryOf(vouchers))
    .from(vouchers)
    .where(
      and(
        eq(vouchers.merchantId, merchantId),
        isNull(vouchers.redeemedAt),
        isNull(vouchers.cancelledAt),
        isBehind(vouchers, last),
        lte(vouchers.expiresAt, until),
      ),
    )
    .orderBy(vouchers.expiresAt, vouchers.customerId)
    .limit(batchSize);

type Expiring = typeof lots | typeof vouchers;

const expiryOf = ({ expiresAt, customerId }: Expiring) => ({
  expiresAt: sql<Date>`${expiresAt}`,
  customerId: sql<string>`${customerId}`,
});

/** The index that it is found by has no rows that never expire. */
const isBehind = ({ expiresAt, customerId }: Expiring, last: Expiry): SQL | undefined =>
  and(isNotNull(expiresAt), sql`(${expiresAt}, ${customerId}) > (${last.expiresAt}, ${last.customerId})`);

function eachOnce(found: Expiry[]) {
  const notices = found.map(({ expiresAt, customerId }) => ({ customerId, subject: expiresAt.toISOString() }));
  return [...new Map(notices.map((notice) => [`${notice.customerId} ${notice.subject}`, notice])).values()];
}
