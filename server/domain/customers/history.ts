/** What became of a customer's value: each list newest first. Of a customer whom nobody knows, they are empty. */
import type { Row } from 'postgres';
import { type Fragment, type Tx, withMerchant } from '@/db/client';
import { type ListOrder, type Page, seek, seekSql, toPage } from '../core/page';
import type { BalancePart, Value } from '../ledger/balance';
import type { StaffContext } from '../staff/context';
import type { RecordedType, TransactionStatus } from '../transactions/schemas';
import { toVoucher } from '../vouchers/issue';
import type { Voucher } from '../vouchers/schemas';
import type { HistoryInput, VoucherHistoryInput } from './schemas';

type HistoryContext = Pick<StaffContext, 'db' | 'clock' | 'merchant'>;

/** A page of rows whose key is `column`, an id that sorts by time. */
async function pageOf<Item>(
  ctx: HistoryContext,
  input: HistoryInput,
  column: string,
  toItem: (row: Row) => Item,
  select: (tx: Tx, seek: { where: Fragment; end: Fragment }) => PromiseLike<readonly Row[]>,
): Promise<Page<Item>> {
  const order: ListOrder = { columns: [column], descending: true };
  const page = seek(input, order);
  const rows = await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { where, orderBy, limit } = seekSql(tx, page, order);
    return await select(tx, { where, end: tx.sql`order by ${orderBy} ${limit}` });
  });
  return toPage(rows, page, ({ key }) => [key], toItem);
}

export interface Lot {
  lotId: string;
  part: BalancePart;
  granted: number;
  remaining: number;
  expiresAt: Date | null;
  isExpired: boolean;
  createdAt: Date;
  /** What granted it. */
  transactionUid: string;
  type: RecordedType;
  storeName: string | null;
}

/** The grants of which something remains. */
export function listLots(ctx: StaffContext, input: HistoryInput): Promise<Page<Lot>> {
  const now = ctx.clock.now();
  const toLot = (row: Row): Lot => ({
    lotId: row.key,
    part: row.part,
    granted: row.granted,
    remaining: row.remaining,
    expiresAt: row.expires_at,
    isExpired: row.expires_at !== null && row.expires_at <= now,
    createdAt: row.created_at,
    transactionUid: row.transaction_uid,
    type: row.type,
    storeName: row.store_name,
  });
  return pageOf(
    ctx,
    input,
    'l.id',
    toLot,
    ({ merchantId, sql }, { where, end }) => sql`
    select l.id as key, l.part, l.granted, l.remaining, l.expires_at, l.created_at, l.transaction_uid, t.type,
      s.name as store_name
    from lots l
    join transactions t on t.merchant_id = l.merchant_id and t.uid = l.transaction_uid
    left join stores s on s.merchant_id = t.merchant_id and s.id = t.store_id
    where l.merchant_id = ${merchantId} and l.customer_id = ${input.customerId} and l.open and ${where} ${end}`,
  );
}

export interface HeldVoucher extends Voucher {
  voucherId: string;
  campaignId: string;
  state: 'usable' | 'expired' | 'redeemed' | 'cancelled';
  redeemedAt: Date | null;
  cancelledAt: Date | null;
}

/** The vouchers that are unused, or those that are redeemed or cancelled. */
export function listVouchers(ctx: StaffContext, input: VoucherHistoryInput): Promise<Page<HeldVoucher>> {
  const now = ctx.clock.now();
  const stateOf = ({ redeemed_at, cancelled_at, expires_at }: Row): HeldVoucher['state'] => {
    if (redeemed_at !== null) return 'redeemed';
    if (cancelled_at !== null) return 'cancelled';
    return expires_at !== null && expires_at <= now ? 'expired' : 'usable';
  };
  const toHeld = (row: Row): HeldVoucher => ({
    ...toVoucher(row),
    voucherId: row.key,
    campaignId: row.campaign_id,
    state: stateOf(row),
    redeemedAt: row.redeemed_at,
    cancelledAt: row.cancelled_at,
  });
  return pageOf(
    ctx,
    input,
    'v.id',
    toHeld,
    ({ merchantId, sql }, { where, end }) => sql`
    select v.id as key, v.campaign_id, v.voucher_code, v.issued_at, v.expires_at, v.redeemed_at, v.cancelled_at, a.name,
      a.unit, a.value, a.plus, a.min_spend, a.max_discount, a.max_units, a.stackable
    from vouchers v join voucher_campaigns a on a.merchant_id = v.merchant_id and a.id = v.campaign_id
    where v.merchant_id = ${merchantId} and v.customer_id = ${input.customerId} and ${where}
      and ${input.isPast ? sql`(v.redeemed_at is not null or v.cancelled_at is not null)` : sql`v.redeemed_at is null and v.cancelled_at is null`}
    ${end}`,
  );
}

export interface LedgerTransaction {
  uid: string;
  transactionId: string | null;
  type: RecordedType;
  status: TransactionStatus;
  storeName: string | null;
  billId: string | null;
  /** For a sale, in minor units. */
  total: number | null;
  occurredAt: Date;
  voidedAt: Date | null;
  /** What the balance gained or lost by it, voids aside. */
  moved: Value;
  /** Why and by whom, of an adjustment. */
  adjustment: { reason: string; by: string } | null;
}

/** The transactions that changed the balance, or the vouchers: not what was refused. */
export function listLedger(ctx: HistoryContext, input: HistoryInput): Promise<Page<LedgerTransaction>> {
  const toTransaction = (row: Row): LedgerTransaction => ({
    uid: row.key,
    transactionId: row.transaction_id,
    type: row.type,
    status: row.status,
    storeName: row.store_name,
    billId: row.bill_id,
    total: row.type === 'sale' ? row.amount : null,
    occurredAt: row.occurred_at,
    voidedAt: row.voided_at,
    moved: { principal: row.principal, bonus: row.bonus, points: row.points },
    adjustment: row.reason === null ? null : { reason: row.reason, by: row.staff_name },
  });
  return pageOf(
    ctx,
    input,
    't.uid',
    toTransaction,
    ({ merchantId, sql }, { where, end }) => sql`
    select t.uid as key, t.transaction_id, t.type, t.status, t.bill_id, t.amount, t.occurred_at, t.voided_at, s.name as store_name,
      moved.*, a.reason, u.name as staff_name
    from transactions t
    left join stores s on s.merchant_id = t.merchant_id and s.id = t.store_id
    left join adjustments a on a.merchant_id = t.merchant_id and a.transaction_uid = t.uid
    left join users u on u.id = a.user_id
    cross join lateral (
      select coalesce(sum(amount) filter (where part = 'principal'), 0)::bigint as principal,
        coalesce(sum(amount) filter (where part = 'bonus'), 0)::bigint as bonus,
        coalesce(sum(amount) filter (where part = 'points'), 0)::bigint as points
      from ledger_entries e where e.merchant_id = t.merchant_id and e.transaction_uid = t.uid and e.kind <> 'void'
    ) moved
    where t.merchant_id = ${merchantId} and t.customer_id = ${input.customerId} and t.status <> 'refused' and ${where}
    ${end}`,
  );
}

export interface CustomerSale {
  uid: string;
  status: TransactionStatus;
  storeName: string;
  billId: string | null;
  receiptNumber: string | null;
  total: number;
  discount: number;
  pointsEarned: number;
  closedAt: Date;
}

export function listSales(ctx: StaffContext, input: HistoryInput): Promise<Page<CustomerSale>> {
  const toSale = (row: Row): CustomerSale => ({
    uid: row.key,
    status: row.status,
    storeName: row.store_name,
    billId: row.bill_id,
    receiptNumber: row.receipt_number,
    total: row.total,
    discount: row.discount,
    pointsEarned: row.points_earned,
    closedAt: row.closed_at,
  });
  return pageOf(
    ctx,
    input,
    't.uid',
    toSale,
    ({ merchantId, sql }, { where, end }) => sql`
    select t.uid as key, t.status, t.bill_id, t.receipt_number, s.name as store_name, b.total, b.discount,
      b.points_earned, b.closed_at
    from transactions t
    join sales b on b.merchant_id = t.merchant_id and b.transaction_uid = t.uid
    join stores s on s.merchant_id = t.merchant_id and s.id = t.store_id
    where t.merchant_id = ${merchantId} and t.customer_id = ${input.customerId} and t.type = 'sale'
      and t.status <> 'refused' and ${where}
    ${end}`,
  );
}
