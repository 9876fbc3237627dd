import { type Tx, withMerchant } from '@/db/client';
import type { StaffContext } from '../staff/context';
import { balancesById } from './balances';
import { profileRevision } from './edit';

/** More sales than these are not counted. */
const mostSales = 1_000;

/** Who a customer is, what they hold now, and what they came to. Errors: `customer_not_found`. */
export async function getCustomer(ctx: StaffContext, { customerId }: { customerId: string }) {
  const [balances, rest] = await Promise.all([
    balancesById(ctx, customerId),
    withMerchant(ctx.db, ctx.merchant.id, (tx) => Promise.all([state(tx, customerId), visits(tx, customerId)])),
  ]);
  const [{ blocked, erasedAt, pinLockedUntil, wantsMessages }, visited] = rest;
  const isLocked = pinLockedUntil !== null && pinLockedUntil > ctx.clock.now();
  return {
    ...balances,
    revision: profileRevision(balances.customer),
    blocked,
    erasedAt,
    wantsMessages,
    pinLockedUntil: isLocked ? pinLockedUntil : null,
    visits: visited,
  };
}

interface State {
  /** Since when, why and by whom. */
  blocked: { at: Date; reason: string | null; by: string | null } | null;
  erasedAt: Date | null;
  pinLockedUntil: Date | null;
  /** Whether notices are sent; false for one who opted out. */
  wantsMessages: boolean;
}

async function state({ merchantId, sql }: Tx, customerId: string): Promise<State> {
  const [row] = await sql`
    select c.erased_at, c.messages_opted_out_at, b.blocked_at, p.locked_until, a.after, u.name
    from customers c
    join balances b on b.merchant_id = c.merchant_id and b.customer_id = c.id
    left join customer_pins p on p.merchant_id = c.merchant_id and p.customer_id = c.id
    left join lateral (
      select after, actor_id from audit_log
      where merchant_id = c.merchant_id and subject_kind = 'customer' and subject_id = ${customerId}
        and action = 'customer.block' and b.blocked_at is not null
      order by id desc limit 1
    ) a on true
    left join users u on u.id = a.actor_id
    where c.merchant_id = ${merchantId} and c.id = ${customerId}`;
  const { reason = null } = JSON.parse(row?.after ?? '{}') as { reason?: string };
  const blocked = row?.blocked_at ? { at: row.blocked_at, reason, by: row.name } : null;
  return {
    blocked,
    erasedAt: row?.erased_at ?? null,
    pinLockedUntil: row?.locked_until ?? null,
    wantsMessages: (row?.messages_opted_out_at ?? null) === null,
  };
}

/** The latest sales: how many, what was paid in them, and when the last was. */
async function visits({ merchantId, sql }: Tx, customerId: string) {
  const [row] = await sql`
    select count(*)::int as count, coalesce(sum(amount), 0)::bigint as spent, max(occurred_at) as last_at
    from (
      select amount, occurred_at from transactions
      where merchant_id = ${merchantId} and customer_id = ${customerId} and type = 'sale' and status = 'completed'
      order by uid desc limit ${sql.unsafe(String(mostSales))}
    ) latest`;
  const count: number = row?.count;
  return { count, isMore: count === mostSales, spent: row?.spent as number, lastAt: row?.last_at as Date | null };
}
