import { and, eq, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { merchantsThatRemind } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { lots, merchants, vouchers } from '@/db/schema';
import { recordRun } from '../automations';
import { endOfDayAfter } from '../kernel/calendar';
import type { Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { readMerchantNow } from '../merchants';
import { queueNotices } from './notices';

const daysBefore = 7;
/** Lots or vouchers per database transaction. */
const batchSize = 1_000;

/**
 * Queues reminders of value and vouchers that expire by the end of the seventh day from today, in each merchant's time
 * zone: one for each customer and time of expiry. A late or repeated run still covers what has not expired yet. Value
 * that is granted after the day's run and expires within these days gets no reminder. Returns the number queued.
 * Errors: the first fault, after all other merchants.
 */
export async function remindOfExpiry(services: Services): Promise<number> {
  const { $rows, merchantId } = merchantsThatRemind({});
  const due = await services.db.pool.select({ merchantId }).from($rows);
  let total = 0;
  const remind = async (merchant: { merchantId: string }) => {
    total += await remindOfExpiryOf(services, merchant);
  };
  await forEachInTurn(due, remind, services.stopping);
  return total;
}

/** Queues one merchant's reminders. */
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
          const { merchant, now } = await readMerchantNow(tx, services);
          const found = await read(tx, after, span.until);
          const queued = (await queueNotices(tx, merchant, 'value-expiring', eachOnce(found), now))?.count ?? 0;
          await note(tx, queued);
          total += queued;
          return found.length === batchSize ? (found.at(-1) ?? null) : null;
        });
        // The next run starts over. Customers who have a notice get no second one.
        if (last !== null && services.stopping?.aborted) return;
      }
    }
    await inTransaction(({ db }) =>
      db
        .update(merchants)
        .set({ remindedThrough: span.until })
        .where(and(eq(merchants.id, merchantId), or(isNull(remindedThrough), lt(remindedThrough, span.until)))),
    );
  });
  return total;
}

const remindedThrough = merchants.remindedThrough;

/**
 * Returns the span of expiry times that still need reminders: after `from`, up to `until`. Null if there is none or
 * reminders are off.
 */
async function findSpan(tx: Tx, services: Services): Promise<{ from: Date; until: Date } | null> {
  const { merchant, now, isClosed } = await readMerchantNow(tx, services);
  if (isClosed || !merchant.noticeKinds.includes('value-expiring')) return null;
  const row = only(await tx.db.select({ remindedThrough }).from(merchants).where(eq(merchants.id, tx.merchantId)));
  const until = endOfDayAfter(now, daysBefore, merchant);
  if (row.remindedThrough !== null && row.remindedThrough >= until) return null;
  return { from: row.remindedThrough !== null && row.remindedThrough > now ? row.remindedThrough : now, until };
}

/** A customer's value that expires at that time. */
interface Expiry {
  expiresAt: Date;
  customerId: string;
}

/** Sorts after every other id. */
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

/** The condition omits rows that never expire, because the index does not contain them. */
const isBehind = ({ expiresAt, customerId }: Expiring, last: Expiry): SQL | undefined =>
  and(isNotNull(expiresAt), sql`(${expiresAt}, ${customerId}) > (${last.expiresAt}, ${last.customerId})`);

function eachOnce(found: Expiry[]) {
  const notices = found.map(({ expiresAt, customerId }) => ({ customerId, subject: expiresAt.toISOString() }));
  return [...new Map(notices.map((notice) => [`${notice.customerId} ${notice.subject}`, notice])).values()];
}
