/** Takes what is left of a disputed top-up from the balance, and gives it back. */
import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { adjustments, customers, lots, topUpRequests, transactions } from '@/db/schema';
import { keptId } from '../identity';
import { announceChange } from '../kernel/changes';
import type { Merchant } from '../kernel/context';
import { newId } from '../kernel/ids';
import { lockBalances, postEntries, sendBalanceEvents } from '../ledger';
import { planBatch, voidRowColumns, writeVoids } from '../transactions';

export interface DisputedTopUp {
  kind: 'topUp';
  id: string;
  /** Who began it, and who holds its value: another customer after a merge. */
  customerId: string;
  holderId: string;
  /** Null if it was not credited. */
  transactionUid: string | null;
}

/** Locks a top-up: the balances of the customer who began it and of the one who holds its value. Null if unknown. */
export async function lockTopUp(tx: Tx, id: string): Promise<DisputedTopUp | null> {
  const { merchantId, db } = tx;
  const find = async () => {
    const [row] = await db
      .select({ customerId: customers.id, holderId: keptId, transactionUid: topUpRequests.transactionUid })
      .from(topUpRequests)
      .innerJoin(customers, and(eq(customers.merchantId, merchantId), eq(customers.id, topUpRequests.customerId)))
      .where(and(eq(topUpRequests.merchantId, merchantId), eq(topUpRequests.id, id)));
    return row;
  };
  const seen = await find();
  if (!seen) return null;
  await lockBalances(tx, [...new Set([seen.customerId, seen.holderId])]);
  const now = await find();
  // Merged meanwhile, or no longer.
  if (!now || now.holderId !== seen.holderId || now.customerId !== seen.customerId) return lockTopUp(tx, id);
  return { kind: 'topUp', id, ...now };
}

/**
 * Takes the bonus that is left of a top-up, and of what was paid at most `amount`, with one adjustment. Voids let it
 * take what comes back later, so there is one if nothing is left, too. Requires the locks. Returns the adjustment; null
 * for a top-up that was not credited.
 */
export async function blockTopUp(
  tx: Tx,
  merchant: Merchant,
  { holderId, transactionUid, ...topUp }: DisputedTopUp,
  { amount, now }: { amount: number; now: Date },
): Promise<string | null> {
  if (transactionUid === null) return null;
  const left = await selectLots(tx, { holderId, transactionUid, customerId: topUp.customerId }, now);
  const uid = newId(now.getTime());
  let paidLeft = amount;
  const entries = left.flatMap(({ id: lotId, part, customerId, remaining }) => {
    const taken = part === 'principal' ? Math.min(remaining, paidLeft) : remaining;
    if (part === 'principal') paidLeft -= taken;
    const kind = 'adjustment' as const;
    return taken === 0 ? [] : [{ transactionUid: uid, customerId, lotId, part, kind, amount: -taken, createdAt: now }];
  });
  const { merchantId, db } = tx;
  await db.insert(transactions).values({
    merchantId,
    uid,
    type: 'adjustment',
    status: 'completed',
    customerId: holderId,
    amount: entries.reduce((sum, entry) => sum + entry.amount, 0),
    occurredAt: now,
    createdAt: now,
  });
  await postEntries(tx, entries);
  sendBalanceEvents(tx, merchant, { customerIds: [holderId], cause: 'dispute', now });
  tx.send(announceChange(tx, 'transactions'), announceChange(tx, 'customers'));
  return uid;
}

/** The spendable lots of a top-up. A merge gives its lots to the kept customer as new ones of the same age. */
function selectLots(
  { merchantId, db }: Tx,
  topUp: Omit<DisputedTopUp, 'kind' | 'id'> & { transactionUid: string },
  now: Date,
) {
  const { customerId, holderId, transactionUid } = topUp;
  const ages = db
    .select({ createdAt: lots.createdAt })
    .from(lots)
    .where(and(eq(lots.merchantId, merchantId), eq(lots.transactionUid, transactionUid)));
  const merges = db
    .select({ uid: adjustments.transactionUid })
    .from(adjustments)
    .where(
      and(
        eq(adjustments.merchantId, merchantId),
        eq(adjustments.transactionUid, lots.transactionUid),
        eq(adjustments.mergedWith, customerId),
      ),
    );
  return db
    .select({ id: lots.id, part: lots.part, customerId: lots.customerId, remaining: lots.remaining })
    .from(lots)
    .where(
      and(
        eq(lots.merchantId, merchantId),
        eq(lots.customerId, holderId),
        inArray(lots.part, ['principal', 'bonus']).inlineParams(),
        lots.open,
        or(isNull(lots.expiresAt), gt(lots.expiresAt, now)),
        or(
          eq(lots.transactionUid, transactionUid),
          and(inArray(lots.createdAt, ages), inArray(lots.transactionUid, merges)),
        ),
      ),
    )
    .orderBy(lots.id);
}

/** Voids the adjustment that took what was left, unless a refund of the top-up has. Requires the locks. */
export async function unblockTopUp(
  tx: Tx,
  merchant: Merchant,
  { blockUid, holderId, now }: { blockUid: string; holderId: string; now: Date },
): Promise<void> {
  const { merchantId, db } = tx;
  const rows = await db
    .select(voidRowColumns)
    .from(transactions)
    .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, blockUid)))
    .for('update');
  if (rows[0]?.status !== 'completed') return;
  const { plan, effects } = await planBatch(tx, { merchant, rows, now });
  const id = newId(now.getTime());
  tx.send(...writeVoids(tx, [{ id, by: null, reason: null, now, live: rows, plan, effects, settings: null }]));
  sendBalanceEvents(tx, merchant, { customerIds: [holderId], cause: 'dispute', now });
  tx.send(announceChange(tx, 'transactions'), announceChange(tx, 'customers'));
}
