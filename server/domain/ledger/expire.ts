import { and, count, eq, lte, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { insertFrom, recordset } from '@/db/query/expressions';
import { merchantsWithExpiredValue } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { balances, ledgerEntries, lots, transactions } from '@/db/schema';
import { recordRun } from '../automations';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { newId } from '../kernel/ids';
import { readMerchantNow } from '../merchants';
import { lockBalances, sumsOf } from './balance';
import { sendBalanceEvents } from './balance-events';

/** Lots per database transaction. */
const batchSize = 1_000;

/**
 * Writes off the expired value of all merchants: one `expiry` transaction per customer, with its entries. Expired value
 * can't be spent anyway; this records its end in the ledger. Several runs may work at once, and a killed run is
 * continued. Returns the number of lots written off. Errors: the first fault, after all other merchants.
 */
export async function expireValue(services: Services): Promise<number> {
  const { $rows, merchantId } = merchantsWithExpiredValue({ at: services.systemClock.now() });
  const merchants = await services.db.pool.select({ merchantId }).from($rows);
  let total = 0;
  const writeOffOf = async (merchant: { merchantId: string }) => {
    total += await expireValueOf(services, merchant);
  };
  await forEachInTurn(merchants, writeOffOf, services.stopping);
  return total;
}

/** Writes off one merchant's expired value, until the merchant is closed. */
export async function expireValueOf(
  services: Services,
  { merchantId, runId }: { merchantId: string; runId?: string },
): Promise<number> {
  let total = 0;
  await recordRun(services, { merchantId, runId, task: 'expire-value' }, async (note) => {
    for (;;) {
      const { found, expired } = await withMerchant(services.db, merchantId, async (tx) => {
        const { merchant, now, isClosed } = await readMerchantNow(tx, services);
        const batch = isClosed ? { found: 0, expired: 0 } : await expireBatch(tx, merchant, now);
        await note(tx, batch.expired);
        return batch;
      });
      total += expired;
      if (found < batchSize || services.stopping?.aborted) return;
    }
  });
  return total;
}

async function expireBatch(tx: Tx, merchant: Merchant, now: Date): Promise<{ found: number; expired: number }> {
  const { merchantId, db } = tx;
  const due = await db
    .select({ customerId: lots.customerId })
    .from(lots)
    .where(and(eq(lots.merchantId, merchantId), lots.open, lte(lots.expiresAt, now)))
    .orderBy(lots.expiresAt)
    .limit(batchSize);
  if (due.length === 0) return { found: 0, expired: 0 };
  const customerIds = [...new Set(due.map(({ customerId }) => customerId))].sort();
  await lockBalances(tx, customerIds);
  const expired = await writeOff(tx, customerIds, now);
  sendBalanceEvents(tx, merchant, { customerIds, cause: 'expiry', now });
  await announceChange(tx, 'transactions');
  return { found: due.length, expired };
}

/** Writes off the expired value of customers whose balances are locked, in one statement. */
async function writeOff({ merchantId, db }: Tx, customerIds: string[], now: Date): Promise<number> {
  const expiry = recordset(
    'expiry',
    { customerId: lots.customerId, uid: transactions.uid },
    customerIds.map((customerId) => ({ customerId, uid: newId(now.getTime()) })),
  );
  const due = db.$with('due').as(
    db
      .select({
        lotId: sql<string>`${lots.id}`.as('lot_id'),
        customerId: lots.customerId,
        part: lots.part,
        remaining: lots.remaining,
        transactionUid: sql<string>`${expiry.uid}`.as('expiry_uid'),
      })
      .from(expiry.$rows)
      .innerJoin(lots, and(eq(lots.merchantId, merchantId), eq(lots.customerId, expiry.customerId)))
      .where(and(lots.open, lte(lots.expiresAt, now))),
  );
  const { lotId, customerId, part, remaining, transactionUid } = due;
  const expiries = insertFrom(
    transactions,
    {
      merchantId,
      uid: transactionUid,
      type: 'expiry',
      status: 'completed',
      customerId,
      occurredAt: now,
      createdAt: now,
    },
    sql`(select distinct ${transactionUid}, ${customerId} from ${due}) due`,
  );
  const fromLots = db
    .update(lots)
    .set({ remaining: 0 })
    .from(due)
    .where(and(eq(lots.merchantId, merchantId), eq(lots.id, lotId)));
  const { bonus, points } = sumsOf({ part, remaining });
  const lost = db
    .select({
      customerId,
      bonus: sql<number>`${bonus.sql}`.as('lost_bonus'),
      points: sql<number>`${points.sql}`.as('lost_points'),
    })
    .from(due)
    .groupBy(customerId)
    .as('lost');
  const fromBalances = db
    .update(balances)
    .set({ bonus: sql`${balances.bonus} - ${lost.bonus}`, points: sql`${balances.points} - ${lost.points}` })
    .from(lost)
    .where(and(eq(balances.merchantId, merchantId), eq(balances.customerId, lost.customerId)));
  const entries = insertFrom(
    ledgerEntries,
    {
      merchantId,
      transactionUid,
      customerId,
      lotId,
      part,
      kind: 'expiry',
      createdAt: now,
      amount: sql<number>`-${remaining}`,
    },
    sql`${due}`,
  );
  const { expired } = only(
    await db
      .with(
        due,
        db.$with('expiries', {}).as(expiries),
        db.$with('from_lots', {}).as(fromLots.getSQL()),
        db.$with('from_balances', {}).as(fromBalances.getSQL()),
        db.$with('entries', {}).as(entries),
      )
      .select({ expired: count() })
      .from(due),
  );
  return expired;
}
