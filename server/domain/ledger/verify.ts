import { and, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { appRole, type Owner, queriesOn } from '@/db/driver';
import { nameOf } from '@/db/query/expressions';
import type { Queries } from '@/db/query/queries';
import { balances, customers, ledgerEntries, lots, sales, transactions } from '@/db/schema';
import { sumsOf } from './balance';

export interface Violation {
  rule: string;
  merchantId: string;
  /** The offending row. */
  subject: string;
  found: string;
}

const entry = ledgerEntries;
const { merchantId: ofMerchant } = lots;

/** Sums a column per part, grouped by `key`, as a subquery named `alias`. */
function sumsBy(table: typeof lots | typeof ledgerEntries, amount: PgColumn, key: PgColumn, alias: string) {
  const { principal, bonus, points } = sumsOf({ part: table.part, remaining: amount });
  const merchant = nameOf(ofMerchant);
  const parts = sql`${principal.sql} as principal, ${bonus.sql} as bonus, ${points.sql} as points`;
  const named = (part: 'principal' | 'bonus' | 'points') =>
    sql`coalesce(${sql.identifier(alias)}.${sql.identifier(part)}, 0)`;
  return {
    $rows: sql`(
      select ${table.merchantId}, ${key}, ${parts} from ${table} group by ${table.merchantId}, ${key}
    ) ${sql.identifier(alias)}`,
    isOf: (merchantId: PgColumn, id: PgColumn) =>
      sql`${sql.identifier(alias)}.${merchant} = ${merchantId} and ${sql.identifier(alias)}.${nameOf(key)} = ${id}`,
    all: sql`${named('principal')}, ${named('bonus')}, ${named('points')}`,
    allButPoints: sql`${named('principal')}, ${named('bonus')}`,
    points: named('points'),
  };
}

const remainingOf = sumsBy(lots, lots.remaining, lots.customerId, 'remaining_of');
const grantedBy = sumsBy(lots, lots.granted, lots.transactionUid, 'granted_by');
const entriesOf = sumsBy(entry, entry.amount, entry.customerId, 'entries_of');
const entriesBy = sumsBy(entry, entry.amount, entry.transactionUid, 'entries_by');
const balanceSums = sql`${balances.principal}, ${balances.bonus}, ${balances.points}`;

const toTransaction = and(eq(transactions.merchantId, entry.merchantId), eq(transactions.uid, entry.transactionUid));
/** Of a sale, the points that refunds took out of the ledger. */
const takenOfSale = sql`coalesce(${sales.pointsTaken} - ${transactions.pointsShortfall}, 0)`;
const is = (condition: SQL | undefined) => sql`${condition}`.inlineParams();

/** Of a top-up or cash-out, what was paid, without the bonus. */
const movedAmount = sql`case when ${is(inArray(transactions.type, ['topUp', 'cashOut']))} then moved.principal else moved.total end`;

/** Selects violations: the merchant, the row, and what was found there. */
const offending = (merchantId: PgColumn | SQL, id: PgColumn | SQL, found: SQL, from: SQL) =>
  sql`select ${merchantId} as merchant_id, ${id}::text as subject, ${found} as found from ${from}`;

/** Each query finds the rows of the whole database that break one ledger invariant, by scans, never row by row. */
export const ledgerRules: Record<string, SQL> = {
  'a balance is the sum of what remains in the lots': offending(
    balances.merchantId,
    balances.customerId,
    sql`format('balance %s/%s/%s, lots %s/%s/%s', ${balanceSums}, ${remainingOf.all})`,
    sql`${balances} left join ${remainingOf.$rows} on ${remainingOf.isOf(balances.merchantId, balances.customerId)}
      where (${balanceSums}) <> (${remainingOf.all})`,
  ),
  'a balance is the sum of its entries': offending(
    balances.merchantId,
    balances.customerId,
    sql`format('balance %s/%s/%s, entries %s/%s/%s', ${balanceSums}, ${entriesOf.all})`,
    sql`${balances} left join ${entriesOf.$rows} on ${entriesOf.isOf(balances.merchantId, balances.customerId)}
      where (${balanceSums}) <> (${entriesOf.all})`,
  ),
  'what remains in a lot is the sum of its entries': offending(
    lots.merchantId,
    lots.id,
    sql`format('remaining %s, entries %s', ${lots.remaining}, of_lot.total)`,
    sql`${lots} left join (
        select ${entry.merchantId} as merchant, ${entry.lotId} as lot, sum(${entry.amount}) as total
        from ${entry} group by ${entry.merchantId}, ${entry.lotId}
      ) of_lot on of_lot.merchant = ${lots.merchantId} and of_lot.lot = ${lots.id}
      where ${lots.remaining} <> coalesce(of_lot.total, 0)`,
  ),
  'a lot grants what the entries of its own transaction say': offending(
    sql`coalesce(${lots.merchantId}, grants.merchant)`,
    sql`coalesce(${lots.id}, grants.lot)`,
    sql`format('granted %s, entries %s', ${lots.granted}, grants.total)`,
    sql`${lots} full join (
        select ${entry.merchantId} as merchant, ${entry.lotId} as lot, ${entry.transactionUid} as granter,
          sum(${entry.amount}) as total, bool_or(${is(eq(entry.kind, 'grant'))}) as is_grant
        from ${entry} where ${is(inArray(entry.kind, ['grant', 'adjustment']))}
        group by ${entry.merchantId}, ${entry.lotId}, ${entry.transactionUid}
      ) grants on grants.merchant = ${lots.merchantId} and grants.lot = ${lots.id} and grants.granter = ${lots.transactionUid}
      where ${lots.granted} is distinct from grants.total and (${lots.id} is not null or grants.is_grant)`,
  ),
  'the lots of a completed top-up or sale add up to its entries and to what refunds took': offending(
    transactions.merchantId,
    transactions.uid,
    sql`format('lots %s/%s/%s, entries %s/%s/%s, %s taken', ${grantedBy.all}, ${entriesBy.all}, ${takenOfSale})`,
    sql`${transactions}
      left join ${sales} on ${and(eq(sales.merchantId, transactions.merchantId), eq(sales.transactionUid, transactions.uid))}
      left join ${grantedBy.$rows} on ${grantedBy.isOf(transactions.merchantId, transactions.uid)}
      left join ${entriesBy.$rows} on ${entriesBy.isOf(transactions.merchantId, transactions.uid)}
      where ${is(and(eq(transactions.status, 'completed'), inArray(transactions.type, ['topUp', 'sale'])))}
        and (${grantedBy.all}) <> (${entriesBy.allButPoints}, ${entriesBy.points} + ${takenOfSale})`,
  ),
  'an entry has the customer and the part of its lot': offending(
    entry.merchantId,
    entry.id,
    sql`format('%s of %s', ${entry.part}, ${entry.customerId})`,
    sql`${entry} join ${lots} on ${and(eq(lots.merchantId, entry.merchantId), eq(lots.id, entry.lotId))}
      where (${entry.customerId}, ${entry.part}) <> (${lots.customerId}, ${lots.part})`,
  ),
  'an entry has the customer of its transaction, or one of the same merge': offending(
    entry.merchantId,
    entry.id,
    sql`format('%s, not %s', ${entry.customerId}, ${transactions.customerId})`,
    sql`${entry} join ${transactions} on ${toTransaction}
      left join ${customers} holder on holder.merchant_id = ${entry.merchantId} and holder.id = ${entry.customerId}
      left join ${customers} owner
        on owner.merchant_id = ${entry.merchantId} and owner.id = ${transactions.customerId}
      where ${entry.customerId} is distinct from ${transactions.customerId}
        and (coalesce(holder.merged_into, holder.id) = coalesce(owner.merged_into, owner.id)) is not true`,
  ),
  'the entries of a voided transaction cancel out, but for recorded shortfalls': offending(
    transactions.merchantId,
    transactions.uid,
    sql`format('%s/%s/%s is left, %s points are owed', ${entriesBy.all}, ${transactions.pointsShortfall})`,
    sql`${transactions} left join ${entriesBy.$rows} on ${entriesBy.isOf(transactions.merchantId, transactions.uid)}
      where ${is(eq(transactions.status, 'voided'))}
        and (${entriesBy.all}) <> (0, 0, ${transactions.pointsShortfall})`,
  ),
  'a completed sale owes at most the points that refunds took, and these are its share of what it earned': offending(
    transactions.merchantId,
    transactions.uid,
    sql`format('%s of %s refunded, %s of %s points taken, %s owed', ${sales.refunded}, ${sales.total}, ${sales.pointsTaken},
      ${sales.pointsEarned}, ${transactions.pointsShortfall})`,
    sql`${sales} join ${transactions}
        on ${and(eq(transactions.merchantId, sales.merchantId), eq(transactions.uid, sales.transactionUid))}
      where ${is(eq(transactions.status, 'completed'))}
        and (${transactions.pointsShortfall} > ${sales.pointsTaken} or ${sales.refunded} not between 0 and ${sales.total}
          or ${sales.pointsTaken}::numeric * ${sales.total} > ${sales.pointsEarned}::numeric * ${sales.refunded})`,
  ),
  'only a voided sale or adjustment, or a refunded sale, owes points': offending(
    transactions.merchantId,
    transactions.uid,
    sql`format('%s %s owes %s', ${transactions.status}, ${transactions.type}, ${transactions.pointsShortfall})`,
    sql`${transactions} where ${is(
      and(
        ne(transactions.pointsShortfall, 0),
        or(
          and(ne(transactions.status, 'voided'), ne(transactions.type, 'sale')),
          isNull(transactions.type),
          sql`${transactions.type} not in ('sale', 'adjustment')`,
        ),
      ),
    )}`,
  ),
  'a refused transaction, and an id voided unseen, move nothing': offending(
    entry.merchantId,
    entry.transactionUid,
    sql`format('%s %s', ${transactions.status}, ${transactions.type})`,
    sql`${entry} join ${transactions} on ${toTransaction}
      where ${is(or(eq(transactions.status, 'refused'), isNull(transactions.type)))}`,
  ),
  'a completed top-up or redemption has entries that add up to its amount': offending(
    transactions.merchantId,
    transactions.uid,
    sql`format('amount %s, entries %s', ${transactions.amount}, ${movedAmount})`,
    sql`${transactions} left join (
        select ${entry.merchantId} as merchant, ${entry.transactionUid} as mover, sum(${entry.amount}) as total,
          sum(${entry.amount}) filter (where ${is(eq(entry.part, 'principal'))}) as principal
        from ${entry} group by ${entry.merchantId}, ${entry.transactionUid}
      ) moved on moved.merchant = ${transactions.merchantId} and moved.mover = ${transactions.uid}
      where ${is(
        and(
          eq(transactions.status, 'completed'),
          inArray(transactions.type, ['topUp', 'cashOut', 'redeemStoredValue', 'redeemPoints']),
          sql`${transactions.amount} is distinct from abs(${movedAmount})`,
        ),
      )}`,
  ),
  'every customer has a balance': offending(
    customers.merchantId,
    customers.id,
    sql`'none'`,
    sql`${customers} left join ${balances}
      on ${and(eq(balances.merchantId, customers.merchantId), eq(balances.customerId, customers.id))}
      where ${balances.customerId} is null`,
  ),
};

/** Returns the ledger violations of all merchants, at most 100 per rule. */
export async function verifyLedger(owner: Owner): Promise<Violation[]> {
  return owner.begin('isolation level repeatable read read only', (connection) =>
    violationsOf(queriesOn(connection)),
  ) as Promise<Violation[]>;
}

/**
 * Returns a violation by the rows of one merchant, or null, in a transaction of the tables' owner: row-level security limits the
 * rules to them.
 */
export async function findViolation(db: Queries, merchantId: string): Promise<Violation | null> {
  await db.run(sql`set local role ${sql.identifier(appRole)}`);
  await db.run(sql`select set_config('app.merchant_id', ${merchantId}, true)`);
  const [violation] = await violationsOf(db);
  await db.run(sql`reset role`);
  return violation ?? null;
}

/** Like `verifyLedger`, for the rows that a database transaction sees, at one moment. */
export async function violationsOf(db: Queries): Promise<Violation[]> {
  // Lets millions of groups be summed in memory instead of on disk, until the transaction ends.
  await db.run(sql`set local work_mem = '128MB'`);
  const violations: Violation[] = [];
  for (const [rule, query] of Object.entries(ledgerRules)) {
    // Materialized, so that it is planned for all rows. With a limit, the planner would search by index, row by row,
    // for violations that do not exist.
    const all = sql`(with found as materialized (${query}) select * from found) off`;
    const columns = {
      merchantId: sql<string>`off.merchant_id`,
      subject: sql<string>`off.subject`,
      found: sql<string>`off.found`,
    };
    for (const row of await db.select(columns).from(all).limit(100)) violations.push({ rule, ...row });
  }
  return violations;
}
