import { and, count, desc, eq, isNotNull, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { showAllStores, type Tx, withMerchant } from '@/db/driver';
import { only } from '@/db/query/queries';
import { auditLog, balances, customerPins, customers, transactions, users } from '@/db/schema';
import { birthdayOf, displayNameOf, fullName, identitiesOf } from '../identity';
import type { StaffContext } from '../kernel/context';
import { balancesById } from './balances';
import { profileRevision } from './edit';
import { countLookUp } from './look-ups';
import { undoableUntil } from './undo-merge';

/** The number of latest sales that are counted. */
const maxSales = 1_000;

/**
 * Returns a customer's profile, balances and sales figures. Errors: `customer_not_found`, `too_many_attempts` for a
 * cashier.
 */
export async function getCustomer(ctx: StaffContext, { customerId }: { customerId: string }) {
  await countLookUp(ctx, customerId);
  const [balances, rest] = await Promise.all([
    balancesById(ctx, customerId),
    withMerchant(ctx.db, ctx.merchant.id, (tx) => {
      // The sums of all visits, in every store, because customers belong to the merchant as a whole.
      showAllStores(tx);
      return Promise.all([state(tx, customerId), readVisits(tx, customerId), readMerged(tx, customerId)]);
    }),
  ]);
  const [{ blocked, erasedAt, pinLockedUntil, wantsMessages, consents, mergedInto }, visited, merged] = rest;
  const customer = { ...balances.customer, birthday: birthdayOf(balances.customer) };
  const isLocked = pinLockedUntil !== null && pinLockedUntil > ctx.clock.now();
  return {
    ...balances,
    customer,
    revision: profileRevision(customer),
    blocked,
    erasedAt,
    mergedInto,
    merged,
    wantsMessages,
    consents,
    pinLockedUntil: isLocked ? pinLockedUntil : null,
    visits: visited,
  };
}

interface State {
  /** When, why and by whom the customer was blocked. */
  blocked: { at: Date; reason: string | null; by: string | null } | null;
  erasedAt: Date | null;
  /** The customer into whom this one was merged. */
  mergedInto: { customerId: string; name: string; at: Date } | null;
  pinLockedUntil: Date | null;
  /** False for a customer who opted out of notices. */
  wantsMessages: boolean;
  /** When the customer accepted the privacy notice, and last agreed to notices. */
  consents: { privacyAt: Date | null; messagesAt: Date | null };
}

/** The number of merged customers that are shown. */
const maxMerged = 20;

/** Lists the customers who were merged into this one. Their earlier activity stays with them. */
async function readMerged({ merchantId, db }: Tx, customerId: string) {
  const { phone, email, mergeUndo } = customers;
  const rows = await db
    .select({ customerId: customers.id, name: fullName, phone, email, mergeUndo })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.mergedInto, customerId)))
    .orderBy(customers.id)
    .limit(maxMerged);
  return rows.map(({ mergeUndo: undo, ...row }) => ({ ...row, undoableUntil: undoableUntil(undo) }));
}

const kept = alias(customers, 'kept');

async function state({ merchantId, db }: Tx, customerId: string): Promise<State> {
  const block = db
    .select({ after: auditLog.after, actorId: auditLog.actorId })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.merchantId, customers.merchantId),
        eq(auditLog.subjectKind, 'customer').inlineParams(),
        eq(auditLog.subjectId, customerId),
        eq(auditLog.action, 'customer.block').inlineParams(),
        isNotNull(balances.blockedAt),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1)
    .as('block');
  const [row] = await db
    .select({
      erasedAt: customers.erasedAt,
      messagesOptedOutAt: customers.messagesOptedOutAt,
      privacyAcceptedAt: customers.privacyAcceptedAt,
      messagesOptedInAt: customers.messagesOptedInAt,
      blockedAt: balances.blockedAt,
      mergedAt: balances.mergedAt,
      keptId: kept.id,
      keptName: displayNameOf(kept),
      pinLockedUntil: customerPins.lockedUntil,
      block: block.after,
      blockedBy: users.name,
    })
    .from(customers)
    .innerJoin(balances, and(eq(balances.merchantId, customers.merchantId), eq(balances.customerId, customers.id)))
    .leftJoin(
      customerPins,
      and(eq(customerPins.merchantId, customers.merchantId), eq(customerPins.customerId, customers.id)),
    )
    .leftJoin(kept, and(eq(kept.merchantId, customers.merchantId), eq(kept.id, customers.mergedInto)))
    .leftJoinLateral(block, sql`true`)
    .leftJoin(users, eq(users.id, block.actorId))
    .where(and(eq(customers.merchantId, merchantId), eq(customers.id, customerId)));
  const { reason = null } = JSON.parse(row?.block ?? '{}') as { reason?: string };
  const mergedInto =
    row?.keptId && row.mergedAt ? { customerId: row.keptId, name: row.keptName ?? '', at: row.mergedAt } : null;
  const blocked = row?.blockedAt ? { at: row.blockedAt, reason, by: row.blockedBy } : null;
  return {
    blocked,
    erasedAt: row?.erasedAt ?? null,
    mergedInto,
    pinLockedUntil: row?.pinLockedUntil ?? null,
    wantsMessages: (row?.messagesOptedOutAt ?? null) === null,
    consents: { privacyAt: row?.privacyAcceptedAt ?? null, messagesAt: row?.messagesOptedInAt ?? null },
  };
}

/** Returns the number and total of the latest sales, merged duplicates' included, and the time of the last one. */
async function readVisits(tx: Tx, customerId: string) {
  const { merchantId, db } = tx;
  const identity = identitiesOf(tx, customerId);
  const { uid, amount, occurredAt } = transactions;
  const latestOfEach = db
    .select({ uid, amount, occurredAt })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, merchantId),
        eq(transactions.customerId, identity.id),
        eq(transactions.type, 'sale').inlineParams(),
        eq(transactions.status, 'completed').inlineParams(),
      ),
    )
    .orderBy(desc(uid))
    .limit(maxSales)
    .as('latest_of_each');
  const latest = db
    .select({ amount: latestOfEach.amount, occurredAt: latestOfEach.occurredAt })
    .from(identity)
    .innerJoinLateral(latestOfEach, sql`true`)
    .orderBy(desc(latestOfEach.uid))
    .limit(maxSales)
    .as('latest');
  const visited = only(
    await db
      .select({
        count: count(),
        spent: sql<number>`coalesce(sum(${latest.amount}), 0)::bigint`,
        lastAt: max(latest.occurredAt),
      })
      .from(latest),
  );
  return { ...visited, isMore: visited.count === maxSales };
}
