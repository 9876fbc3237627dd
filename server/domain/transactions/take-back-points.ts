/** Taking back the points that money earned which goes back to a payer's card. */
import { and, eq, sum } from 'drizzle-orm';
import { showAllStores, type Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { salePayments, sales, transactions } from '@/db/schema';
import { findBillOfPayment, type LoadedBill, type LoadedPayment, loadBill, lockBillOf } from '../bills';
import { TransactionIdTaken } from '../engine';
import { announceChange } from '../kernel/changes';
import type { Merchant } from '../kernel/context';
import { shareByWeight } from '../kernel/share';
import { lockBalances, sendBalanceEvents } from '../ledger';
import { type LoadedLedger, loadLedgers, writePlans } from './void-ledger';
import { planTakeBack } from './void-plan';
import { holdersOf, type VoidRow, voidRowColumns } from './void-rows';

interface Refund {
  paymentId: string;
  /** How much less of the payment is kept for the bill then, in minor units, without its tip. */
  lessKept: (payment: LoadedPayment) => number;
}

/**
 * Takes back the points that the refunded part of a payment earned in the sales of its closed bill, in proportion and rounded
 * down over all refunds. Call it before the payment changes. It locks the balances, the sales and the bill, in this order.
 * Returns the number of points that were taken or are owed. Errors: `TransactionIdTaken` if a sale or a merge came in between.
 */
export async function takePointsBack(tx: Tx, merchant: Merchant, refund: Refund, now: Date): Promise<number> {
  const { paymentId, lessKept } = refund;
  const seen = await findBillOfPayment(tx, paymentId);
  const locked = seen?.row.state === 'closed' ? await lockSales(tx, seen) : [];
  const row = await lockBillOf(tx, paymentId);
  if (row?.state !== 'closed') return 0;
  const bill = await loadBill(tx, row);
  const earning = bill.sold.filter(({ customerId, pointsEarned }) => customerId !== null && pointsEarned > 0);
  if (earning.length === 0) return 0;
  const rowOf = ({ uid }: { uid: string }) => locked.find((one) => one.uid === uid);
  if (!earning.every(rowOf)) throw new TransactionIdTaken();
  const payment = bill.payments.find(({ id }) => id === paymentId);
  const parts = await shareOf(tx, bill, payment ? lessKept(payment) : 0);
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
  if (balances.some(({ mergedAt }) => mergedAt !== null)) throw new TransactionIdTaken();
  return select().for('update');
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
