/** What no request shows, read as the owner of the tables. */
import type postgres from 'postgres';
import type { Session } from './session';

/** One query for each question. */
export function behindTheScenes(
  owner: postgres.Sql,
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
    remains: () => owner`
      select b.principal::int, b.bonus::int, b.points::int, (
          select coalesce(sum(points_shortfall), 0)::int from transactions t
          where t.merchant_id = b.merchant_id and t.customer_id = b.customer_id
        ) as debts, (
          select coalesce(-sum(amount), 0)::int from ledger_entries e
          where e.merchant_id = b.merchant_id and e.customer_id = b.customer_id and kind in ('expiry', 'expiryReversal')
        ) as expired, (
          select count(*)::int from vouchers v
          where v.merchant_id = b.merchant_id and v.customer_id = b.customer_id
            and (redeemed_by is not null or redeemed_at is not null or cancelled_at is not null)
        ) as "redeemedVouchers", (
          select count(*)::int from transactions t
          where t.merchant_id = b.merchant_id and t.customer_id = b.customer_id and status = 'completed' and type <> 'expiry'
        ) as "completedTransactions"
      from balances b where b.merchant_id = ${merchantId} and b.customer_id = any(${customerIds}::uuid[])`,
  };
}
