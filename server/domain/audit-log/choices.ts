import { and, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { nameOf } from '@/db/query/expressions';
import { apiKeys, auditLog, users } from '@/db/schema';
import type { StaffContext } from '../kernel/context';

const maxChoices = 500;

/** Lists the filters of the audit log: every actor and action in it, including people who have left. */
export function auditLogChoices({ db, merchant }: StaffContext) {
  return withMerchant(db, merchant.id, async (tx) => {
    const [actors, actions] = await Promise.all([selectActors(tx), selectActions(tx)]);
    return { actors, actions: actions.map(({ action }) => action) };
  });
}

/** Staff first. */
function selectActors(tx: Tx) {
  const { merchantId, db } = tx;
  const actor = distinct(tx, 'actorId');
  const isStaff = isNotNull(users.id);
  const id = sql<string>`${actor.actorId}`;
  const name = sql<string>`coalesce(${users.name}, ${apiKeys.name})`;
  return db
    .with(actor)
    .select({ id, kind: sql<'staff' | 'apiKey'>`case when ${isStaff} then 'staff' else 'apiKey' end`, name })
    .from(actor)
    .leftJoin(users, eq(users.id, actor.actorId))
    .leftJoin(apiKeys, and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.id, actor.actorId)))
    .where(or(isStaff, isNotNull(apiKeys.id)))
    .orderBy(desc(isStaff), name, id);
}

function selectActions(tx: Tx) {
  const one = distinct(tx, 'action');
  return tx.db.with(one).select({ action: one.action }).from(one).orderBy(one.action);
}

/** Selects a column's distinct values, with one index step for each, however many rows there are. */
function distinct<Name extends 'actorId' | 'action'>({ merchantId, db }: Tx, name: Name) {
  const column = auditLog[name];
  const next = (after?: SQL) =>
    db
      .select({ value: column })
      .from(auditLog)
      .where(and(eq(auditLog.merchantId, merchantId), isNotNull(column), after))
      .orderBy(column)
      .limit(1);
  const values = { [name]: column } as Record<Name, (typeof auditLog)[Name]>;
  return db.$with('distinct_values', values).as(sql`
    with recursive step (value, place) as (
      select value, 1 from ${next()} first (value)
      union all
      select n.value, step.place + 1 from step
      cross join lateral ${next(sql`${column} > step.value`)} n (value) where step.place < ${maxChoices}
    )
    select value as ${nameOf(column)} from step`);
}
