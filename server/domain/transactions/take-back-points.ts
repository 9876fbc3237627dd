/** Taking back the points that money earned which goes back to a payer's card. */
import { and, eq, sum } from 'drizzle-orm';
import { showAllStores, type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { salePayments, sales, transactions } from '@/db/schema';
import { clearPointsDue, findBillByUid, type LoadedBill, loadBill, lockBillByUid } from '../bills';
import { retryWhileTaken, TransactionIdTaken } from '../engine';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { shareByWeight } from '../kernel/share';
import { lockBalances, sendBalanceEvents } from '../ledger';
import { findMerchantEvenClosed, withMerchantClock } from '../merchants';
import { type LoadedLedger, loadLedgers, writePlans } from './void-ledger';
import { planTakeBack } from './void-plan';
import { holdersOf, type VoidRow, voidRowColumns } from './void-rows';

/** Takes back what is due of a closed bill, once: after a refund at the payment service, and after its closing. */
export async function takeBackPoints(
  all: Services,
  { merchantId, billUid }: { merchantId: string; billUid: string },
): Promise<void> {
  const merchant = await findMerchantEvenClosed(all, merchantId);
  if (!merchant) return;
  const { db, clock } = withMerchantClock(all, merchant);
  await retryWhileTaken(() =>
    withMerchant(db, merchantId, async (tx) => {
      const locked = await lockEarningSales(tx, billUid);
      await takePointsDue(tx, merchant, { billUid, locked }, clock.now());
    }),
  );
}

/**
 * Locks the balances of those who earned in the sales of a closed bill, and the sales. Call it before anything locks the bill.
 * Errors: `TransactionIdTaken` if a merge came in between.
 */
export async function lockEarningSales(tx: Tx, billUid: string): Promise<VoidRow[]> {
  const row = await findBillByUid(tx, billUid);
  return row?.state === 'closed' ? lockSales(tx, await loadBill(tx, row)) : [];
}

/**
 * Takes back the points that refunded money earned in the sales of a closed bill, in proportion and rounded down over all
 * refunds. On an open bill they stay due until it is closed: the money may be paid again. Returns the number of points that
 * were taken or are owed. Errors: `TransactionIdTaken` if a sale or a merge came in between.
 */
export async function takePointsDue(
  tx: Tx,
  merchant: Merchant,
  { billUid, locked }: { billUid: string; locked: VoidRow[] },
  now: Date,
): Promise<number> {
  const bill = await lockBillByUid(tx, billUid);
  if (bill?.row.state !== 'closed') return 0;
  const due = bill.payments.reduce((sum, { pointsDueFor }) => sum + pointsDueFor, 0);
  if (due === 0) return 0;
  clearPointsDue(tx, bill);
  const earning = bill.sold.filter(({ customerId, pointsEarned }) => customerId !== null && pointsEarned > 0);
  if (earning.length === 0) return 0;
  const rowOf = ({ uid }: { uid: string }) => locked.find((one) => one.uid === uid);
  if (!earning.every(rowOf)) throw new TransactionIdTaken();
  const parts = await shareOf(tx, bill, due);
  // The points that were spent may have been granted in any store.
  showAllStores(tx);
  let points = 0;
  for (const sale of earning) {
    const refunded = Math.min(sale.total, sale.refunded + (parts.get(sale.uid) ?? 0));
    if (refunded > sale.refunded)
      points += await takePointsOfSale(tx, rowOf(sale) as VoidRow, { ...sale, refunded }, now);
  }
  if (points > 0) {
    sendBalanceEvents(tx, merchant, { customerIds: holdersOf(locked), cause: 'refund', now });
    for (const topic of ['transactions', 'customers'] as const) announceChange(tx, topic);
  }
  return points;
}

async function lockSales(tx: Tx, { sold }: LoadedBill): Promise<VoidRow[]> {
  const uids = sold.flatMap(({ uid, customerId }) => (customerId === null ? [] : uid));
  if (uids.length === 0) return [];
  const select = () =>
    tx.db
      .select(voidRowColumns)
      .from(transactions)
      .where(and(eq(transactions.merchantId, tx.merchantId), anyOf(transactions.uid, uids)))
      .orderBy(transactions.uid);
  const balances = await lockBalances(tx, holdersOf(await select()));
  const rows = await select().for('update');
  const isHeld = (one: string) => balances.some(({ customerId, mergedAt }) => customerId === one && mergedAt === null);
  // A customer was merged into another since, or a merge was undone.
  if (!holdersOf(rows).every(isHeld)) throw new TransactionIdTaken();
  return rows;
}

/** Splits an amount by what of each sale was paid by phone; if no sale says so, by their totals. */
async function shareOf({ merchantId, db }: Tx, { sold }: LoadedBill, amount: number): Promise<Map<string, number>> {
  const { transactionUid, method } = salePayments;
  const rows = await db
    .select({ transactionUid, method, amount: sum(salePayments.amount).mapWith(Number) })
    .from(salePayments)
    .where(
      and(
        eq(salePayments.merchantId, merchantId),
        anyOf(
          transactionUid,
          sold.map(({ uid }) => uid),
        ),
      ),
    )
    .groupBy(transactionUid, method);
  const byPhone = sold.map(({ uid }) =>
    rows.reduce(
      (all, one) => (one.transactionUid === uid && one.method.toLowerCase() === 'phone' ? all + one.amount : all),
      0,
    ),
  );
  const weights = byPhone.some((one) => one > 0) ? byPhone : sold.map(({ total }) => total);
  const parts = shareByWeight(
    amount,
    weights.map((one) => BigInt(one)),
  );
  return new Map(sold.map(({ uid }, n) => [uid, parts[n] as number]));
}

interface Refunded {
  uid: string;
  total: number;
  pointsEarned: number;
  pointsTaken: number;
  /** Over all refunds, with this one. */
  refunded: number;
}

/**
 * Takes back what the refunded part of a sale earned, less what earlier refunds took. Requires the locks of its customers'
 * balances and of the sale. Returns the number of points that were taken or are owed.
 */
export async function takePointsOfSale(tx: Tx, row: VoidRow, sale: Refunded, now: Date): Promise<number> {
  const { uid, total, pointsEarned, pointsTaken, refunded } = sale;
  const { merchantId, db, send } = tx;
  // Exact: the product is beyond the safe integers.
  const inAll = Number((BigInt(pointsEarned) * BigInt(refunded)) / BigInt(total));
  const [ledger] = await loadLedgers(tx, [[row]]);
  const { plan, taken } = planTakeBack({ ...(ledger as LoadedLedger), now }, uid, inAll);
  const shortfall = plan.shortfalls.get(uid);
  send(...writePlans(tx, [{ plan, now }]));
  if (shortfall !== undefined) {
    send(
      db
        .update(transactions)
        .set({ pointsShortfall: shortfall })
        .where(and(eq(transactions.merchantId, merchantId), eq(transactions.uid, uid))),
    );
  }
  send(
    db
      .update(sales)
      .set({ refunded, pointsTaken: pointsTaken + taken })
      .where(and(eq(sales.merchantId, merchantId), eq(sales.transactionUid, uid))),
  );
  return taken;
}
