/** Sales that name a bill: each settles a part of it, or all. */
import { and, asc, desc, eq, gt, lt, notInArray, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, type RowOf, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { salePayments, sales, transactions } from '@/db/schema';
import type { SoldPart } from './sold-parts';
import { endsNumber, isSoldOn, windowShape } from './window';

/** Methods of a sale's payments that an open bill counts by itself: redemptions, and what diners paid by phone. */
export const countedMethods = ['stored-value', 'points', 'voucher', 'phone'];

/** What a till took itself of a sale, in minor units. */
export const takenAtTill = (payments: { method: string; amount: number }[]): number =>
  payments.reduce((sum, { method, amount }) => (countedMethods.includes(method.toLowerCase()) ? sum : sum + amount), 0);

const nameShape = { n: sql<number>`int`, ...windowShape };

/** No bill is paid in more parts. Further sales are not read. */
const mostRead = 500;

const findSold = prepare(
  (db, given: Given<{ merchantId: string; named: RowOf<typeof nameShape>[]; billIds: string[] }>) => {
    const { $rows, ...named } = recordset('named', nameShape, given.named);
    const { uid, transactionId, customerId, createdAt, billId } = transactions;
    const taken = db
      .select({ sum: sql<number>`coalesce(sum(${salePayments.amount}), 0)`.mapWith(Number).as('sum') })
      .from(salePayments)
      .where(
        and(
          eq(salePayments.merchantId, given.merchantId),
          eq(salePayments.transactionUid, uid),
          notInArray(sql`lower(${salePayments.method})`, countedMethods),
        ),
      )
      .as('taken');
    const sold = db
      .select({
        uid,
        transactionId,
        customerId,
        total: sales.total,
        subtotal: sales.subtotal,
        rounding: sales.rounding,
        pointsEarned: sales.pointsEarned,
        pointsTaken: sales.pointsTaken,
        refunded: sales.refunded,
        taken: taken.sum,
        createdAt,
      })
      .from(transactions)
      .innerJoin(sales, and(eq(sales.merchantId, given.merchantId), eq(sales.transactionUid, uid)))
      .innerJoinLateral(taken, sql`true`)
      .where(
        and(
          eq(transactions.merchantId, given.merchantId),
          anyOf(billId, given.billIds),
          eq(transactions.type, 'sale').inlineParams(),
          eq(transactions.status, 'completed').inlineParams(),
          isSoldOn(db, named),
        ),
      )
      .orderBy(asc(uid))
      .limit(mostRead)
      .as('sold');
    return db
      .select({ n: named.n, ...sold._.selectedFields })
      .from($rows)
      .crossJoinLateral(sold)
      .orderBy(asc(named.n), asc(sold.uid));
  },
);

/** Returns the completed sales of bills, by the place of each bill in `named`. */
export async function loadSold(
  { merchantId, db }: Pick<Tx, 'merchantId' | 'db'>,
  named: RowOf<typeof nameShape>[],
): Promise<SoldPart[][]> {
  const billIds = named.map(({ billId }) => billId);
  const rows = await findSold(db, { merchantId, named, billIds });
  return named.map((_, n) =>
    rows
      .filter((one) => one.n === n)
      .map(({ n: _n, transactionId, ...one }) => ({ ...one, transactionId: transactionId as string })),
  );
}

/** Returns when the last sale that ended a bill's number happened since a time, and before another one if given; or null. */
export async function findLastSale(
  { merchantId, db }: Tx,
  { storeId, billId }: { storeId: string; billId: string },
  { since, before }: { since: Date; before: Date | null },
): Promise<Date | null> {
  const { occurredAt, type, status } = transactions;
  const [last] = await db
    .select({ occurredAt })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        eq(transactions.storeId, storeId),
        eq(transactions.billId, billId),
        eq(type, 'sale').inlineParams(),
        eq(status, 'completed').inlineParams(),
        gt(occurredAt, since),
        endsNumber(db),
        before === null ? undefined : lt(occurredAt, before),
      ),
    )
    .orderBy(desc(occurredAt))
    .limit(1);
  return last?.occurredAt ?? null;
}
