import { and, eq, isNull, lte, ne, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { adjustments, ledgerEntries, saleLines, salePayments, sales, stores, transactions } from '@/db/schema';
import type { RecordedType } from '../engine';
import type { DinerCustomer } from '../identity';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { listPartialRefunds, sumsOf } from '../ledger';
import { describeTransactions } from './history';

/** Returns one transaction of the customer, as on a receipt. Errors: `transaction_not_found`. */
export function getReceipt(
  { db }: Services,
  { merchant, customerId }: DinerCustomer,
  { uid, language }: { uid: string; language?: string },
) {
  return withMerchant(db, merchant.id, async (tx) => {
    const { merchantId } = tx;
    const { type, status, occurredAt, billId, receiptNumber } = transactions;
    const moved = tx.db
      .select(sumsOf({ part: ledgerEntries.part, remaining: ledgerEntries.amount }))
      .from(ledgerEntries)
      .where(
        and(
          eq(ledgerEntries.merchantId, transactions.merchantId),
          eq(ledgerEntries.transactionUid, transactions.uid),
          ne(ledgerEntries.kind, 'void').inlineParams(),
        ),
      )
      .as('moved');
    const [[row], described, sale, refunds] = await Promise.all([
      tx.db
        .select({
          type: sql<RecordedType>`${type}`,
          status,
          occurredAt,
          billId,
          receiptNumber,
          isDispute: sql<boolean>`${eq(type, 'adjustment').inlineParams()} and ${isNull(adjustments.reason)} and ${lte(transactions.amount, 0)}`,
          store: { name: stores.name, address: stores.address, phone: stores.phone },
          moved: { principal: moved.principal, bonus: moved.bonus, points: moved.points },
        })
        .from(transactions)
        .leftJoin(stores, and(eq(stores.merchantId, transactions.merchantId), eq(stores.id, transactions.storeId)))
        .leftJoin(
          adjustments,
          and(eq(adjustments.merchantId, transactions.merchantId), eq(adjustments.transactionUid, transactions.uid)),
        )
        .crossJoinLateral(moved)
        .where(
          and(
            eq(transactions.merchantId, merchantId),
            eq(transactions.uid, uid),
            eq(transactions.customerId, customerId),
            ne(transactions.status, 'refused').inlineParams(),
          ),
        ),
      describeTransactions(tx, [uid], language),
      readSale(tx, uid),
      listPartialRefunds(tx, [uid]),
    ]);
    if (!row) throw new DomainError('transaction_not_found', say('transactionNotFound'));
    const cameBack = (refunds.get(uid) ?? []).map(({ amount, at }) => ({ amount, at }));
    const { name = null, amount = null } = described.get(uid) ?? {};
    return { ...row, uid, isVoided: row.status === 'voided', name, amount, sale, refunds: cameBack };
  });
}
export type Receipt = Awaited<ReturnType<typeof getReceipt>>;

async function readSale({ merchantId, db }: Tx, uid: string) {
  const { subtotal, discount, serviceCharge, tax, rounding, total, taxIncluded } = sales;
  const { name, quantity, amount } = saleLines;
  const [[sale], lines, payments] = await Promise.all([
    db
      .select({ subtotal, discount, serviceCharge, tax, rounding, total, taxIncluded })
      .from(sales)
      .where(and(eq(sales.merchantId, merchantId), eq(sales.transactionUid, uid))),
    db
      .select({ name, quantity, amount })
      .from(saleLines)
      .where(and(eq(saleLines.merchantId, merchantId), eq(saleLines.transactionUid, uid)))
      .orderBy(saleLines.position),
    db
      .select({ method: salePayments.method, amount: salePayments.amount })
      .from(salePayments)
      .where(and(eq(salePayments.merchantId, merchantId), eq(salePayments.transactionUid, uid)))
      .orderBy(salePayments.position),
  ]);
  return sale ? { ...sale, lines, payments } : null;
}
