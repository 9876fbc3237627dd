/** One transaction with all that hangs together with it. */
import type { Row } from 'postgres';
import { type Tx, withMerchant } from '@/db/client';
import { DomainError } from '../core/errors';
import type { BalancePart } from '../ledger/balance';
import type { EntryKind } from '../ledger/post';
import type { RedeemPointsOutput } from '../points/schemas';
import type { SaleOutput } from '../sales/schemas';
import type { StaffContext } from '../staff/context';
import type { RedeemOutput, TopUpOutput } from '../stored-value/schemas';
import { formatVoucherCode } from '../vouchers/code';
import type { RedeemVoucherOutput } from '../vouchers/schemas';
import { isRefusal, type RefusalAnswer } from './answer';
import { type ListedTransaction, selectTransactions, toListed } from './list';

/** What the POS was answered, and is answered again when it asks. */
type Answer = TopUpOutput | RedeemOutput | RedeemVoucherOutput | RedeemPointsOutput | SaleOutput;

export interface TransactionEntry {
  id: number;
  part: BalancePart;
  kind: EntryKind;
  amount: number;
  createdAt: Date;
  /** When its lot expires, and the transaction that granted that lot. */
  expiresAt: Date | null;
  grantedBy: string;
}

export interface SaleDetail {
  subtotal: number;
  discount: number;
  serviceCharge: number;
  tax: number;
  rounding: number;
  total: number;
  closedAt: Date;
  lines: { plu: string; name: string; quantity: number; unitPrice: number; amount: number }[];
  payments: { method: string; amount: number }[];
}

export interface TransactionDetail extends ListedTransaction {
  apiKeyName: string | null;
  /** Why and by whom, of an adjustment. */
  adjustment: { reason: string; by: string } | null;
  refusal: RefusalAnswer | null;
  answer: Answer | null;
  /** The stored-value package of a top-up. */
  packageName: string | null;
  entries: TransactionEntry[];
  sale: SaleDetail | null;
  /** Vouchers that it redeemed or issued, as they are now. */
  vouchers: { voucherCode: string; campaignId: string; campaignName: string; role: 'redeemed' | 'issued' }[];
  void: {
    voidId: string;
    reason: string | null;
    /** The member of staff, or the key of the POS; or that what was paid for it was refunded. */
    by: { kind: 'staff' | 'apiKey'; name: string } | { kind: 'refund' };
    at: Date;
    /** What was voided with it. */
    others: ListedTransaction[];
  } | null;
  /** Points that a voided sale or adjustment still owes. */
  pointsShortfall: number;
  /** The other transactions of its bill. */
  sameBill: ListedTransaction[];
}

const mostRelated = '100';

/** Errors: `transaction_not_found`. */
export function getTransaction(ctx: StaffContext, { uid }: { uid: string }): Promise<TransactionDetail> {
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const [[listed], [row], entries, sale, vouchers] = await Promise.all([
      selectTransactions(tx, sql`select ${uid}::uuid as uid`),
      sql`
        select t.store_id, t.bill_id, t.answer, t.points_shortfall, t.void_id, t.voided_at, k.name as api_key_name,
          a.reason as adjustment_reason, au.name as adjusted_by, v.reason as void_reason, v.user_id as void_user_id,
          coalesce(vu.name, vk.name) as voided_by
        from transactions t
        left join api_keys k on k.merchant_id = t.merchant_id and k.id = t.api_key_id
        left join adjustments a on a.merchant_id = t.merchant_id and a.transaction_uid = t.uid
        left join users au on au.id = a.user_id
        left join voids v on v.merchant_id = t.merchant_id and v.id = t.void_id
        left join users vu on vu.id = v.user_id
        left join api_keys vk on vk.merchant_id = v.merchant_id and vk.id = v.api_key_id
        where t.merchant_id = ${merchantId} and t.uid = ${uid}`,
      selectEntries(tx, uid),
      selectSale(tx, uid),
      selectVouchers(tx, uid),
    ]);
    if (!listed || !row) throw new DomainError('transaction_not_found', 'There is no such transaction.');
    const told = row.answer === null ? null : JSON.parse(row.answer);
    const answer: Answer | null = told === null || isRefusal(told) ? null : told;
    const [packages, sameBill, voidedToo] = await Promise.all([
      answer?.type === 'topUp'
        ? sql`select name from stored_value_packages where merchant_id = ${merchantId} and id = ${answer.packageId}`
        : [],
      selectTransactions(
        tx,
        sql`
        select uid from transactions where merchant_id = ${merchantId} and store_id = ${row.store_id}
          and bill_id = ${row.bill_id} and uid <> ${uid} limit ${sql.unsafe(mostRelated)}`,
      ),
      selectTransactions(
        tx,
        sql`
        select uid from transactions where merchant_id = ${merchantId} and void_id = ${row.void_id}
          and uid <> ${uid} limit ${sql.unsafe(mostRelated)}`,
      ),
    ]);
    return {
      ...toListed(listed),
      apiKeyName: row.api_key_name,
      adjustment: row.adjusted_by === null ? null : { reason: row.adjustment_reason, by: row.adjusted_by },
      refusal: isRefusal(told) ? told : null,
      answer,
      packageName: packages[0]?.name ?? null,
      entries,
      sale,
      vouchers,
      void: row.void_id === null ? null : { ...toVoid(row), others: voidedToo.map(toListed) },
      pointsShortfall: row.points_shortfall,
      sameBill: sameBill.map(toListed),
    };
  });
}

const toVoid = (row: Row) => ({
  voidId: row.void_id,
  reason: row.void_reason,
  by:
    row.voided_by === null
      ? { kind: 'refund' as const }
      : { kind: row.void_user_id === null ? ('apiKey' as const) : ('staff' as const), name: row.voided_by },
  at: row.voided_at,
});

async function selectEntries({ merchantId, sql }: Tx, uid: string): Promise<TransactionEntry[]> {
  const rows = await sql<TransactionEntry[]>`
    select e.id, e.part, e.kind, e.amount, e.created_at as "createdAt", l.expires_at as "expiresAt",
      l.transaction_uid as "grantedBy"
    from ledger_entries e join lots l on l.merchant_id = e.merchant_id and l.id = e.lot_id
    where e.merchant_id = ${merchantId} and e.transaction_uid = ${uid} order by e.id`;
  return [...rows];
}

async function selectSale({ merchantId, sql }: Tx, uid: string): Promise<SaleDetail | null> {
  const [[sale], lines, payments] = await Promise.all([
    sql`
      select subtotal, discount, service_charge, tax, rounding, total, closed_at from sales
      where merchant_id = ${merchantId} and transaction_uid = ${uid}`,
    sql<SaleDetail['lines']>`
      select plu, name, quantity::float8 as quantity, unit_price as "unitPrice", amount from sale_lines
      where merchant_id = ${merchantId} and transaction_uid = ${uid} order by position`,
    sql<SaleDetail['payments']>`
      select method, amount from sale_payments
      where merchant_id = ${merchantId} and transaction_uid = ${uid} order by position`,
  ]);
  if (!sale) return null;
  const { service_charge: serviceCharge, closed_at: closedAt, subtotal, discount, tax, rounding, total } = sale;
  const sums = { subtotal, discount, serviceCharge, tax, rounding, total, closedAt };
  return { ...sums, lines: [...lines], payments: [...payments] };
}

async function selectVouchers({ merchantId, sql }: Tx, uid: string): Promise<TransactionDetail['vouchers']> {
  const rows = await sql`
    select v.voucher_code, v.campaign_id, c.name, v.redeemed_by is not distinct from ${uid} as is_redeemed
    from vouchers v join voucher_campaigns c on c.merchant_id = v.merchant_id and c.id = v.campaign_id
    where v.merchant_id = ${merchantId} and v.id in (
      select id from vouchers where merchant_id = ${merchantId} and redeemed_by = ${uid}
      union
      select id from vouchers where merchant_id = ${merchantId} and issued_by = ${uid})
    order by v.id`;
  return rows.map((row) => ({
    voucherCode: formatVoucherCode(row.voucher_code),
    campaignId: row.campaign_id,
    campaignName: row.name,
    role: row.is_redeemed ? 'redeemed' : 'issued',
  }));
}
