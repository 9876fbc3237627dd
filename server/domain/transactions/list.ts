import { and, asc, count, desc, eq, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customers, ledgerEntries, stores, transactions } from '@/db/schema';
import type { RecordedType, TransactionStatus } from '../engine';
import { fullName } from '../identity';
import type { StaffContext } from '../kernel/context';
import { ifGiven, type Page, seekPage, toPage } from '../kernel/page';
import { readStoreDays } from '../merchants';
import { findUids, idsFrom, isUid, mostAlike, newestFirst, type Uids } from './find';
import type { ListTransactionsInput, TransactionFilter } from './schemas';
import { withoutMoney } from './void-rows';

export interface ListedTransaction {
  uid: string;
  /** Null if no POS sent it. */
  transactionId: string | null;
  /** Null for an id that was voided before it was used. */
  type: RecordedType | null;
  status: TransactionStatus;
  store: { id: string; name: string } | null;
  customer: { id: string; name: string } | null;
  billId: string | null;
  staffId: string | null;
  receiptNumber: string | null;
  /** The amount of the sale, payment or discount, in minor units; null if there is none. */
  billAmount: number | null;
  /** The change of the customer's balance, not counting voids: minor units, and points. */
  storedValue: number;
  points: number;
  occurredAt: Date;
  createdAt: Date;
  voidedAt: Date | null;
}

export interface TransactionPage extends Page<ListedTransaction> {
  /** More transactions match than are searched. */
  isSearchCut: boolean;
}

/** Lists the merchant's transactions, newest first. Errors: `invalid_request` for a cursor of another list. */
export async function listTransactions(ctx: StaffContext, input: ListTransactionsInput): Promise<TransactionPage> {
  const { after, before, limit, ...filter } = input;
  const page = seekPage({ after, before, limit }, newestFirst);
  const [rows, isSearchCut] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    Promise.all([
      readStoreDays(tx).then((days) => selectTransactions(tx, findUids(tx, filter, page, days), page.backwards)),
      isCut(tx, filter),
    ]),
  );
  return { ...toPage(rows, page, ({ uid }) => [uid]), isSearchCut };
}

async function isCut(tx: Tx, { search, storeId }: TransactionFilter): Promise<boolean> {
  if (search === undefined || isUid(search)) return false;
  const { merchantId, db } = tx;
  const alike = idsFrom(tx, search, mostAlike + 1).as('alike');
  const howMany = db.select({ count: count() }).from(alike);
  const found = await db
    .select({ id: stores.id })
    .from(stores)
    .where(
      and(
        eq(stores.merchantId, merchantId),
        ifGiven(storeId, (one) => eq(stores.id, one)),
        sql`${howMany} > ${mostAlike}`,
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Selects the transactions with these uids, in the list's order. */
export function selectTransactions({ merchantId, db }: Tx, { $rows, uid }: Uids, isBackwards = false) {
  const t = transactions;
  const own = and(
    eq(ledgerEntries.merchantId, t.merchantId),
    eq(ledgerEntries.transactionUid, t.uid),
    or(ne(ledgerEntries.kind, 'void').inlineParams(), eq(transactions.status, 'completed').inlineParams()),
  );
  const sum = (isOfPart: SQL) =>
    sql<number>`coalesce(sum(${ledgerEntries.amount}) filter (where ${isOfPart.inlineParams()}), 0)::bigint`;
  const moved = db
    .select({
      storedValue: sum(ne(ledgerEntries.part, 'points')).as('moved_value'),
      points: sum(eq(ledgerEntries.part, 'points')).as('moved_points'),
    })
    .from(ledgerEntries)
    .where(own)
    .as('moved');
  const isMoney = notInArray(t.type, [...withoutMoney]).inlineParams();
  return db
    .select({
      uid: t.uid,
      transactionId: t.transactionId,
      type: t.type,
      status: t.status,
      store: { id: stores.id, name: stores.name },
      customer: { id: customers.id, name: fullName },
      billId: t.billId,
      staffId: t.staffId,
      receiptNumber: t.receiptNumber,
      billAmount: sql<number | null>`case when ${isMoney} then ${t.amount} end`,
      storedValue: moved.storedValue,
      points: moved.points,
      occurredAt: t.occurredAt,
      createdAt: t.createdAt,
      voidedAt: t.voidedAt,
    })
    .from($rows)
    .innerJoin(t, and(eq(t.merchantId, merchantId), eq(t.uid, uid)))
    .leftJoin(stores, and(eq(stores.merchantId, t.merchantId), eq(stores.id, t.storeId)))
    .leftJoin(customers, and(eq(customers.merchantId, t.merchantId), eq(customers.id, t.customerId)))
    .crossJoinLateral(moved)
    .orderBy(isBackwards ? asc(t.uid) : desc(t.uid));
}
