/** Takes back the opening balances and vouchers of an import, in batches like the import itself. */

import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { adjustments, customerImports, type ImportOpenings, lots, transactions } from '@/db/schema';
import { announceChange } from '../kernel/changes';
import type { Services } from '../kernel/context';
import { newId } from '../kernel/ids';
import { lockBalances, noValue, sendBalanceEvents, type Value } from '../ledger';
import { readMerchantNow } from '../merchants';
import { planBatch, type VoidRow, voidRowColumns, writeVoids } from '../transactions';
import { cancelImported } from '../vouchers';
import { addValues } from './openings';

const batchSize = 500;

/** The openings of an import before it starts. */
export const noOpenings: ImportOpenings = { imported: noValue, reversed: noValue, kept: noValue, keptCount: 0 };

/**
 * Takes back the next opening balances of an import. Returns whether there may be more. A credit that was spent, even
 * in part, or has expired stays as it is.
 */
export function undoBatch(
  services: Services,
  { merchantId, importId }: { merchantId: string; importId: string },
): Promise<boolean> {
  return withMerchant(services.db, merchantId, async (tx) => {
    const [[job], { merchant, now, isClosed }] = await Promise.all([
      lockUndoing(tx, importId),
      readMerchantNow(tx, services),
    ]);
    if (isClosed || !job?.userId) return false;
    const batch = await nextOpenings(tx, importId, job.through);
    const credits = await lockCredits(tx, batch);
    const open = credits.filter(({ row }) => row.status === 'completed');
    const unspent = open.filter(({ isUnspent }) => isUnspent);
    const spent = open.filter(({ isUnspent }) => !isUnspent);
    const live = unspent.map(({ row }) => row);
    const { reversed, kept, keptCount, vouchers, ...done } = job.openings ?? noOpenings;
    const isMoreValue = batch.length === batchSize;
    const cancelled =
      isMoreValue || !vouchers
        ? null
        : await cancelImported(tx, {
            importId,
            campaignIds: vouchers.campaignIds,
            reason: job.fileName,
            now,
            take: batchSize,
          });
    const isMore = isMoreValue || cancelled?.found === batchSize;
    const openings = {
      ...done,
      reversed: addValues(reversed, sumOf(unspent)),
      kept: addValues(kept, sumOf(spent)),
      keptCount: keptCount + spent.length,
      ...(vouchers ? { vouchers: { ...vouchers, cancelled: vouchers.cancelled + (cancelled?.cancelled ?? 0) } } : {}),
    };
    const { plan, effects } = await planBatch(tx, { merchant, rows: live, now });
    const written = {
      id: newId(now.getTime()),
      by: { userId: job.userId },
      reason: job.fileName,
      now,
      live,
      plan,
      effects,
      settings: null,
    };
    await Promise.all([
      ...(live.length === 0 ? [] : writeVoids(tx, [written])),
      tx.db
        .update(customerImports)
        .set({
          openings,
          undoneThrough: batch.at(-1)?.uid ?? job.through,
          undoneAt: isMore ? null : now,
          updatedAt: now,
        })
        .where(and(eq(customerImports.merchantId, merchantId), eq(customerImports.id, importId))),
      ...(['customerImports', 'customers', 'transactions', 'vouchers', 'campaigns'] as const).map((topic) =>
        announceChange(tx, topic),
      ),
    ]);
    const customerIds = [...new Set(live.flatMap(({ customerId }) => customerId ?? []))];
    sendBalanceEvents(tx, merchant, { customerIds, cause: 'import', now });
    return isMore;
  });
}

function lockUndoing({ merchantId, db }: Tx, importId: string) {
  const { id, fileName, openings, undoUserId: userId, undoneThrough: through } = customerImports;
  return db
    .select({ fileName, openings, userId, through })
    .from(customerImports)
    .where(
      and(
        eq(customerImports.merchantId, merchantId),
        eq(id, importId),
        isNotNull(customerImports.undoStartedAt),
        isNull(customerImports.undoneAt),
      ),
    )
    .for('update');
}

function nextOpenings({ merchantId, db }: Tx, importId: string, through: string | null) {
  const { transactionUid: uid } = adjustments;
  return db
    .select({ uid, customerId: transactions.customerId })
    .from(adjustments)
    .innerJoin(transactions, and(eq(transactions.merchantId, adjustments.merchantId), eq(transactions.uid, uid)))
    .where(
      and(
        eq(adjustments.merchantId, merchantId),
        eq(adjustments.importId, importId),
        through === null ? undefined : gt(uid, through),
      ),
    )
    .orderBy(uid)
    .limit(batchSize);
}

interface Credit {
  row: VoidRow;
  part: keyof Value;
  granted: number;
  isUnspent: boolean;
}

/** Balances are locked before transactions, as in every other place. */
async function lockCredits(tx: Tx, batch: Awaited<ReturnType<typeof nextOpenings>>): Promise<Credit[]> {
  const { merchantId, db } = tx;
  if (batch.length === 0) return [];
  const uids = batch.map(({ uid }) => uid);
  const customerIds = [...new Set(batch.flatMap(({ customerId }) => customerId ?? []))];
  const [, rows, granted] = await Promise.all([
    lockBalances(tx, customerIds),
    db
      .select(voidRowColumns)
      .from(transactions)
      .where(and(eq(transactions.merchantId, merchantId), anyOf(transactions.uid, uids)))
      .orderBy(transactions.uid)
      .for('update'),
    db
      .select({ uid: lots.transactionUid, part: lots.part, granted: lots.granted, remaining: lots.remaining })
      .from(lots)
      .where(and(eq(lots.merchantId, merchantId), anyOf(lots.transactionUid, uids))),
  ]);
  const lotOf = new Map(granted.map((lot) => [lot.uid, lot]));
  return rows.flatMap((row) => {
    const lot = lotOf.get(row.uid);
    return lot ? [{ row, part: lot.part, granted: lot.granted, isUnspent: lot.remaining === lot.granted }] : [];
  });
}

function sumOf(credits: Credit[]): Value {
  const sum = { ...noValue };
  for (const { part, granted } of credits) sum[part] += granted;
  return sum;
}
