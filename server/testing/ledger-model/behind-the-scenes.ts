/** Reads, as the tables' owner, what no response shows. */
import type { Sql } from '@/db/driver';
import type { Session } from './session';

/** One query per question. */
export function behindTheScenes(
  owner: Sql,
  merchantId: string,
  customerIds: string[],
): Pick<Session, 'behindTheScenes' | 'remains'> {
  return {
    behindTheScenes: async (transactionIds) => {
      const [row] = await owner`
        select (
          select json_agg(l.remaining) from lots l
          join transactions t on t.merchant_id = l.merchant_id and t.uid = l.transaction_uid
          where t.merchant_id = ${merchantId} and t.transaction_id = any(${transactionIds}) and l.part <> 'principal'
        ) as remaining, (
          select json_object_agg(transaction_id, points_shortfall) from transactions
          where merchant_id = ${merchantId} and customer_id = any(${customerIds}::uuid[]) and points_shortfall > 0
        ) as debts`;
      return { remaining: row?.remaining ?? [], debts: row?.debts ?? {} };
    },
    remains: (now) => owner`
      select b.principal::int, b.bonus::int, l.usable as points, l.past + e.expired as "expiredPoints", t.debts,
        t.completed as "completedTransactions", v.used as "usedVouchers"
      from balances b
      cross join lateral (
        select coalesce(sum(remaining) filter (where expires_at > ${now}), 0)::int as usable,
          coalesce(sum(remaining) filter (where expires_at <= ${now}), 0)::int as past
        from lots where merchant_id = b.merchant_id and customer_id = b.customer_id and part = 'points'
      ) l
      cross join lateral (
        select coalesce(-sum(amount), 0)::int as expired from ledger_entries
        where merchant_id = b.merchant_id and customer_id = b.customer_id and part = 'points'
          and kind in ('expiry', 'expiryReversal')
      ) e
      cross join lateral (
        select coalesce(sum(points_shortfall), 0)::int as debts,
          count(*) filter (where status = 'completed' and type <> 'expiry')::int as completed
        from transactions where merchant_id = b.merchant_id and customer_id = b.customer_id
      ) t
      cross join lateral (
        select count(*) filter (where num_nonnulls(redeemed_by, redeemed_at, cancelled_at) > 0)::int as used
        from vouchers where merchant_id = b.merchant_id and customer_id = b.customer_id
      ) v
      where b.merchant_id = ${merchantId} and b.customer_id = any(${customerIds}::uuid[])`,
  };
}
