import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { ifGiven } from '../core/filter';
import { type Page, seek, toPage } from '../core/page';
import type { StaffContext } from '../staff/context';
import { findUids, idsFrom, isUid, mostAlike, newestFirst } from './find';
import type { ListTransactionsInput, RecordedType, TransactionFilter, TransactionStatus } from './schemas';

export interface ListedTransaction {
  uid: string;
  /** Null for what no POS sent. */
  transactionId: string | null;
  /** Null for an id that was voided before it was ever seen. */
  type: RecordedType | null;
  status: TransactionStatus;
  store: { id: string; name: string } | null;
  customer: { id: string; name: string } | null;
  billId: string | null;
  staffId: string | null;
  receiptNumber: string | null;
  /** What was sold, paid or taken off, in minor units; null where there is no such amount. */
  billAmount: number | null;
  /** What the customer's balance gained or lost, voids aside: minor units, and points. */
  storedValue: number;
  points: number;
  occurredAt: Date;
  createdAt: Date;
  voidedAt: Date | null;
}

export interface TransactionPage extends Page<ListedTransaction> {
  /** More transactions match than are searched. */
  isSearchCut: boolean;
}

/** The merchant's transactions, newest first. Errors: `invalid_request` for a foreign cursor. */
export async function listTransactions(ctx: StaffContext, input: ListTransactionsInput): Promise<TransactionPage> {
  const { after, before, limit, ...filter } = input;
  const page = seek({ after, before, limit }, newestFirst);
  const [rows, isSearchCut] = await withMerchant(ctx.db, ctx.merchant.id, (tx) =>
    Promise.all([
      selectTransactions(tx, findUids(tx, filter, page, ctx.merchant.timeZone), page.backwards),
      isCut(tx, filter),
    ]),
  );
  return { ...toPage(rows, page, ({ uid }) => [uid], toListed), isSearchCut };
}

async function isCut(tx: Tx, { search, storeId }: TransactionFilter): Promise<boolean> {
  if (search === undefined || isUid(search)) return false;
  const { merchantId, sql } = tx;
  const [row] = await sql`
    select from stores s
    where s.merchant_id = ${merchantId} and ${ifGiven(tx, storeId, (one) => sql`s.id = ${one}`)}
      and (select count(*) from (${idsFrom(tx, search, mostAlike + 1)}) alike) > ${mostAlike}
    limit 1`;
  return row !== undefined;
}

/** The transactions of a query for uids, in the list's order. */
export function selectTransactions({ merchantId, sql }: Tx, uids: Fragment, isBackwards = false) {
  return sql`
    select t.uid, t.transaction_id, t.type, t.status, t.store_id, s.name as store_name, t.customer_id,
      trim(concat_ws(' ', c.given_name, c.last_name)) as customer_name, t.bill_id, t.staff_id, t.receipt_number,
      case when t.type not in ('redeemPoints', 'expiry', 'adjustment') then t.amount end as bill_amount, moved.*, t.occurred_at, t.created_at, t.voided_at
    from (${uids}) page
    join transactions t on t.merchant_id = ${merchantId} and t.uid = page.uid
    left join stores s on s.merchant_id = t.merchant_id and s.id = t.store_id
    left join customers c on c.merchant_id = t.merchant_id and c.id = t.customer_id
    cross join lateral (
      select coalesce(sum(amount) filter (where part <> 'points'), 0)::bigint as stored_value,
        coalesce(sum(amount) filter (where part = 'points'), 0)::bigint as points
      from ledger_entries e where e.merchant_id = t.merchant_id and e.transaction_uid = t.uid and e.kind <> 'void'
    ) moved
    order by t.uid ${sql.unsafe(isBackwards ? 'asc' : 'desc')}`;
}

/** A row of `selectTransactions` as the list shows it. */
export const toListed = (row: Row): ListedTransaction => ({
  uid: row.uid,
  transactionId: row.transaction_id,
  type: row.type,
  status: row.status,
  store: row.store_id === null ? null : { id: row.store_id, name: row.store_name },
  customer: row.customer_id === null ? null : { id: row.customer_id, name: row.customer_name },
  billId: row.bill_id,
  staffId: row.staff_id,
  receiptNumber: row.receipt_number,
  billAmount: row.bill_amount,
  storedValue: row.stored_value,
  points: row.points,
  occurredAt: row.occurred_at,
  createdAt: row.created_at,
  voidedAt: row.voided_at,
});
