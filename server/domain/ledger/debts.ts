/**
 * Points that a customer owes, because a sale was voided or refunded in part after its points had been spent. Debts of voids are
 * paid first, by the time of the void, then those of refunds, by the time of the sale.
 */
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, jsonArray, recordset, setTenantOfEach } from '@/db/query/expressions';
import { type Given, type Owned, prepare, prepareForRows, type Queries } from '@/db/query/queries';
import { customers, transactions } from '@/db/schema';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';

export interface Debt {
  /** The voided sale or adjustment. */
  transactionUid: string;
  points: number;
}

/** Points of a new lot that pay a debt. */
export interface Repayment {
  transactionUid: string;
  lotId: string;
  amount: number;
}

/** Far more voided sales than a customer has who still owes for them. */
const maxDebts = 100;

/** What one customer owes, with what duplicates owed that were merged into them. */
function debtsOfOne(db: Queries, merchantId: SQL<string>, customerId: SQL<string>) {
  const duplicates = db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.mergedInto, customerId)));
  const { uid, pointsShortfall, voidedAt } = transactions;
  return db
    .select({ transactionUid: uid, points: pointsShortfall, voidedAt })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        sql`${transactions.customerId} = any(array(${duplicates} union all select ${customerId}))`,
        gt(pointsShortfall, 0).inlineParams(),
      ),
    )
    .orderBy(asc(voidedAt), asc(uid))
    .limit(maxDebts)
    .as('debt');
}

/** The same as one JSON array, oldest first, to join laterally to what else is read of the customer. */
export function debtListOf(db: Queries, merchantId: SQL<string>, customerId: SQL<string>) {
  const debt = debtsOfOne(db, merchantId, customerId);
  const { transactionUid, points, voidedAt } = debt;
  const list = jsonArray({ transactionUid, points }, asc(voidedAt), asc(transactionUid));
  return db
    .select({ debts: sql<Debt[] | null>`${list}`.as('debts') })
    .from(debt)
    .as('owed');
}

const debtsOf = prepareForRows((db, given: Given<{ rows: Owned<{ customerId: string }>[] }>) => {
  const shape = { merchantId: transactions.merchantId, customerId: sql<string>`uuid` };
  const { $rows, ...asked } = recordset('asked', shape, given.rows);
  const tenant = setTenantOfEach(asked.merchantId);
  const debt = debtsOfOne(db, tenant.id, asked.customerId);
  return db
    .select({
      customerId: asked.customerId,
      transactionUid: debt.transactionUid,
      points: debt.points,
      merchantId: asked.merchantId,
      isOwn: tenant.isOwn,
    })
    .from($rows)
    .crossJoin(tenant.$rows)
    .innerJoinLateral(debt, sql`true`);
});

/**
 * Returns what customers owe, oldest first, with what duplicates owed that were merged into them. Call it while holding
 * the lock.
 */
export async function loadDebts(tx: Tx, customerIds: string[]): Promise<Map<string, Debt[]>> {
  const debts = new Map<string, Debt[]>();
  const rows = await debtsOf(
    tx,
    customerIds.map((customerId) => ({ customerId })),
  );
  for (const { customerId, transactionUid, points } of rows) {
    debts.set(customerId, [...(debts.get(customerId) ?? []), { transactionUid, points }]);
  }
  return debts;
}

export const sumOfDebts = (debts: Debt[]): number => debts.reduce((sum, { points }) => sum + points, 0);

/** Returns which debts `earned` points of a new lot pay, oldest first. Does not change the account. */
export function repaymentsOf({ debts }: { debts: Debt[] }, lotId: string, earned: number): Repayment[] {
  let left = earned;
  return debts.flatMap(({ transactionUid, points }) => {
    const amount = Math.min(left, points);
    left -= amount;
    return amount > 0 ? [{ transactionUid, lotId, amount }] : [];
  });
}

/** Errors: `points_owed` for a customer who owes points, if the merchant refuses their redemptions. */
export function checkOwesNothing({ debts }: { debts: Debt[] }, { refusesOwing }: { refusesOwing: boolean }): void {
  const owed = sumOfDebts(debts);
  if (refusesOwing && owed > 0) throw new DomainError('points_owed', say('pointsOwed', { count: owed }), { owed });
}

interface Paid {
  transactionUid: string;
  points: number;
}

const reduce = prepare((db, given: Given<{ merchantId: string; paid: Paid[]; uids: string[] }>) => {
  const { uid: transactionUid, pointsShortfall } = transactions;
  const { $rows, ...paid } = recordset('paid', { transactionUid, points: pointsShortfall }, given.paid);
  return db
    .update(transactions)
    .set({ pointsShortfall: sql`${pointsShortfall} - ${paid.points}` })
    .from($rows)
    .where(
      and(
        eq(transactions.merchantId, given.merchantId),
        anyOf(transactions.uid, given.uids),
        eq(transactions.uid, paid.transactionUid),
      ),
    );
});

/** Returns the unsent statement that reduces the debts; null without repayments. The entries are posted separately. */
export function reduceDebts({ merchantId, db }: Tx, repayments: Repayment[]) {
  if (repayments.length === 0) return null;
  const byUid = new Map<string, number>();
  for (const { transactionUid, amount } of repayments)
    byUid.set(transactionUid, (byUid.get(transactionUid) ?? 0) + amount);
  const paid = Array.from(byUid, ([transactionUid, points]) => ({ transactionUid, points }));
  return reduce(db, { merchantId, paid, uids: [...byUid.keys()] });
}
