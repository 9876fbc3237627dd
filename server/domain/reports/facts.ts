/**
 * What is summed up, and how: the same for what the worker sums and for what a report reads as it stands, so that the
 * two add up by construction. A fact is booked once and never changes; it counts on the day it was booked (`created_at`),
 * a void on its own day.
 */
import type { Fragment, Tx } from '@/db/client';

/** Rows of `entries` by day, store and part. */
export function ledgerFacts({ sql }: Tx, timeZone: string, entries: Fragment): Fragment {
  const sumOf = (kinds: Fragment) => sql`coalesce(sum(e.amount) filter (where e.kind in (${kinds})), 0)::bigint`;
  return sql`
    select (e.created_at at time zone ${timeZone})::date as day, t.store_id, e.part,
      ${sumOf(sql`'grant'`)} as granted, ${sumOf(sql`'spend'`)} as spent, ${sumOf(sql`'void'`)} as voided,
      ${sumOf(sql`'expiry', 'expiryReversal'`)} as expired, ${sumOf(sql`'adjustment'`)} as adjusted
    from ${entries} e join transactions t on t.merchant_id = e.merchant_id and t.uid = e.transaction_uid
    group by 1, 2, 3`;
}

/**
 * Transactions of the types that a POS books, each in a store, and top-ups that were paid online. A refused one has no
 * amount, nor has an expiry.
 */
const isBooked = ({ sql }: Tx) =>
  sql`t.amount is not null and t.type in ('sale', 'topUp', 'redeemStoredValue', 'redeemPoints', 'redeemVoucher')`;

/** Rows of `transactions`, as they were booked. */
export function bookings(tx: Tx, transactions: Fragment): Fragment {
  return tx.sql`
    select t.created_at as at, t.merchant_id, t.store_id, t.type, 1 as count, t.amount, t.customer_id, t.answer
    from ${transactions} t where ${isBooked(tx)}`;
}

/** The same of `transactions` that were voided, as their voids took them back. */
export function reversals(tx: Tx, transactions: Fragment): Fragment {
  return tx.sql`
    select t.voided_at as at, t.merchant_id, t.store_id, t.type, -1 as count, -t.amount as amount, t.customer_id, t.answer
    from ${transactions} t where ${isBooked(tx)}`;
}

/** Bookings or reversals by day, store and type. */
export function transactionFacts({ sql }: Tx, timeZone: string, booked: Fragment): Fragment {
  return sql`
    select (b.at at time zone ${timeZone})::date as day, b.store_id, b.type, sum(b.count)::int as count,
      sum(b.amount)::bigint as amount
    from (${booked}) b group by 1, 2, 3`;
}

/**
 * Bookings or reversals of vouchers by day and campaign. Which voucher it was, only the answer keeps for ever: a void
 * sets the voucher free. Read before the join (`offset 0`): under row-level security, no index is looked up by a text
 * that is still to be made.
 */
export function redemptionFacts({ sql }: Tx, timeZone: string, booked: Fragment): Fragment {
  return sql`
    select (b.at at time zone ${timeZone})::date as day, v.campaign_id, 0 as issued, sum(b.count)::int as redeemed,
      sum(b.amount)::bigint as discount
    from (
      select r.*, replace(r.answer::json ->> 'voucherCode', '-', '') as voucher_code from (${booked}) r
      where r.type = 'redeemVoucher' offset 0
    ) b join vouchers v on v.merchant_id = b.merchant_id and v.voucher_code = b.voucher_code
    group by 1, 2`;
}

/** Rows of `vouchers` by day and campaign. */
export function issueFacts({ sql }: Tx, timeZone: string, vouchers: Fragment): Fragment {
  return sql`
    select (v.issued_at at time zone ${timeZone})::date as day, v.campaign_id, count(*)::int as issued, 0 as redeemed,
      0::bigint as discount
    from ${vouchers} v group by 1, 2`;
}
