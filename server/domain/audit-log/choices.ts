import { type Fragment, type Tx, withMerchant } from '@/db/client';
import type { StaffContext } from '../staff/context';

const maxChoices = 500;

/** What the audit log can be filtered by: everybody and every action that it has, people who have left included. */
export function auditLogChoices({ db, merchant }: StaffContext) {
  return withMerchant(db, merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const [actors, actions] = await Promise.all([
      sql`
        with recursive ${distinct(tx, 'actor_id')}
        select v.value as id, coalesce(u.name, k.name) as name, u.id is not null as is_staff from distinct_values v
        left join users u on u.id = v.value
        left join api_keys k on k.merchant_id = ${merchantId} and k.id = v.value
        where u.id is not null or k.id is not null order by is_staff desc, name, id`,
      sql`with recursive ${distinct(tx, 'action')} select value from distinct_values order by value`,
    ]);
    return {
      actors: actors.map((row) => ({
        id: row.id as string,
        kind: row.is_staff ? ('staff' as const) : ('apiKey' as const),
        name: row.name as string,
      })),
      actions: actions.map((row) => row.value as string),
    };
  });
}

/** The column's values, each found by one step in its index, however many rows it has. */
const distinct = ({ merchantId, sql }: Tx, column: 'actor_id' | 'action'): Fragment => {
  const next = (after: Fragment) => sql`(
    select ${sql(column)} as value from audit_log
    where merchant_id = ${merchantId} and ${sql(column)} is not null and ${after}
    order by ${sql(column)} limit 1)`;
  return sql`distinct_values as (
    select value, 1 as place from ${next(sql`true`)} first
    union all
    select n.value, v.place + 1 from distinct_values v
    cross join lateral ${next(sql`${sql(column)} > v.value`)} n where v.place < ${maxChoices})`;
};
