import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import type { StaffContext } from '../staff/context';
import { bookings, issueFacts, ledgerFacts, redemptionFacts, reversals, transactionFacts } from './facts';

const nilId = '00000000-0000-0000-0000-000000000000';
/** Where the sums reach before anything is summed up. */
export const nothingSummed = { entry_id: 0, transaction_uid: nilId, void_id: nilId, voucher_id: nilId };

/** A merchant's sums by day at one moment, to the last row that is booked: each a query without a condition. */
export interface Books {
  tx: Tx;
  /** `day`, `store_id`, `part`, `granted`, `spent`, `voided`, `expired`, `adjusted`. */
  ledgerDays: Fragment;
  /** `day`, `store_id`, `type`, `count`, `amount`. */
  transactionDays: Fragment;
  /** `day`, `campaign_id`, `issued`, `redeemed`, `discount`. */
  voucherDays: Fragment;
}

/** Opens the books: what `read` asks of them is all of one moment. */
export function readBooks<T>({ db, merchant }: StaffContext, read: (books: Books) => Promise<T>): Promise<T> {
  return withMerchant(db, merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const [, [progress]] = await Promise.all([
      // Planned with their values: how few rows lie behind the sums, a plan for any value would not know.
      sql.unsafe(`
        set transaction isolation level repeatable read, read only;
        set local plan_cache_mode = force_custom_plan`),
      sql`
        select entry_id, transaction_uid, void_id, voucher_id from report_progress where merchant_id = ${merchantId}`,
    ]);
    return read({ tx, ...sums(tx, merchant.timeZone, progress ?? nothingSummed) });
  });
}

/** The sums, and what lies behind them as it stands. */
function sums(tx: Tx, timeZone: string, progress: Row) {
  const { merchantId, sql } = tx;
  const summed = (columns: string, table: string) =>
    sql`select ${sql.unsafe(columns)} from ${sql.unsafe(table)} where merchant_id = ${merchantId}`;
  const behind = (table: string, key: string, reached: string | number) =>
    sql`(select * from ${sql.unsafe(table)} where merchant_id = ${merchantId} and ${sql.unsafe(key)} > ${reached})`;
  const booked = bookings(tx, behind('transactions', 'uid', progress.transaction_uid));
  const takenBack = reversals(tx, behind('transactions', 'void_id', progress.void_id));
  return {
    ledgerDays: sql`
      ${summed('day, store_id, part, granted, spent, voided, expired, adjusted', 'ledger_days')}
      union all ${ledgerFacts(tx, timeZone, behind('ledger_entries', 'id', progress.entry_id))}`,
    transactionDays: sql`
      ${summed('day, store_id, type, count, amount', 'transaction_days')}
      union all ${transactionFacts(tx, timeZone, booked)}
      union all ${transactionFacts(tx, timeZone, takenBack)}`,
    voucherDays: sql`
      ${summed('day, campaign_id, issued, redeemed, discount', 'voucher_days')}
      union all ${redemptionFacts(tx, timeZone, booked)}
      union all ${redemptionFacts(tx, timeZone, takenBack)}
      union all ${issueFacts(tx, timeZone, behind('vouchers', 'id', progress.voucher_id))}`,
  };
}
