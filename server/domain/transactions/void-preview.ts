/** What a planned void comes to, in terms that staff can check before they confirm it. */
import { createHash } from 'node:crypto';
import type { Tx } from '@/db/client';
import type { Value } from '../ledger/balance';
import { formatVoucherCode } from '../vouchers/code';
import { type ListedTransaction, selectTransactions, toListed } from './list';
import type { Blocking, VoidRow } from './void-batch';
import type { VoidPlan } from './void-plan';

export interface StaffBatch {
  /** Those not voided yet. */
  live: VoidRow[];
  plan: VoidPlan;
  blocking: Blocking[];
  now: Date;
}

export interface PreviewedTransaction extends ListedTransaction {
  outcome: 'voided' | 'alreadyVoided' | 'blocked';
  /** What stands in the way. */
  blocking: Blocking | null;
  /** Points of a sale that were spent and can not be taken back. */
  pointsShortfall: number;
}

interface VoucherChange {
  voucherCode: string;
  campaignName: string;
  becomes: 'usable' | 'expired' | 'cancelled';
}

export interface VoidPreview {
  transactions: PreviewedTransaction[];
  /** What each customer can spend, before and after. */
  customers: { customerId: string; name: string; before: Value; after: Value }[];
  /** What becomes of the vouchers that were redeemed or issued. */
  vouchers: VoucherChange[];
  /** Stands for all of this: the void itself is refused where it would come to anything else. */
  effect: string;
}

export async function describeVoid(tx: Tx, batch: StaffBatch, uids: string[]): Promise<VoidPreview> {
  const changes = changesOf(batch);
  const [rows, customers, vouchers] = await Promise.all([
    selectTransactions(tx, tx.sql`select unnest(${uids}::uuid[]) as uid`),
    selectCustomers(tx, [...changes.keys()], batch.now),
    selectVouchers(tx, batch),
  ]);
  return {
    transactions: rows.map((row) => outcomeOf(toListed(row), batch)),
    customers: customers.map(({ customerId, name, ...before }) => {
      const change = changes.get(customerId) as Value;
      return { customerId, name, before, after: add(before, change) };
    }),
    vouchers,
    effect: fingerprint(batch, changes, vouchers),
  };
}

/** The `effect` that the preview of this very batch has. */
export async function effectOf(tx: Tx, batch: StaffBatch): Promise<string> {
  return fingerprint(batch, changesOf(batch), await selectVouchers(tx, batch));
}

function outcomeOf(transaction: ListedTransaction, { plan, blocking }: StaffBatch): PreviewedTransaction {
  const { uid, status } = transaction;
  const inTheWay = blocking.find((one) => one.uid === uid) ?? null;
  return {
    ...transaction,
    outcome: status === 'voided' ? 'alreadyVoided' : inTheWay ? 'blocked' : 'voided',
    blocking: inTheWay,
    pointsShortfall: plan.shortfalls.get(uid) ?? 0,
  };
}

const add = (a: Value, b: Value): Value => ({
  principal: a.principal + b.principal,
  bonus: a.bonus + b.bonus,
  points: a.points + b.points,
});

/** What each customer gains or loses of what can be spent: lots past their time count for nothing, before and after. */
function changesOf({ plan, now }: StaffBatch): Map<string, Value> {
  const usable = new Set(
    plan.lots.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ id }) => id),
  );
  const changes = new Map<string, Value>();
  for (const { customerId, lotId, part, amount } of plan.entries) {
    if (!usable.has(lotId)) continue;
    const change = changes.get(customerId) ?? { principal: 0, bonus: 0, points: 0 };
    change[part] += amount;
    changes.set(customerId, change);
  }
  return changes;
}

function selectCustomers({ merchantId, sql }: Tx, customerIds: string[], now: Date) {
  return sql<({ customerId: string; name: string } & Value)[]>`
    select c.id as "customerId", trim(concat_ws(' ', c.given_name, c.last_name)) as name, held.*
    from customers c cross join lateral (
      select coalesce(sum(remaining) filter (where part = 'principal'), 0)::bigint as principal,
        coalesce(sum(remaining) filter (where part = 'bonus'), 0)::bigint as bonus,
        coalesce(sum(remaining) filter (where part = 'points'), 0)::bigint as points
      from lots where merchant_id = c.merchant_id and customer_id = c.id and open and (expires_at is null or expires_at > ${now})
    ) held
    where c.merchant_id = ${merchantId} and c.id = any(${customerIds}::uuid[]) order by name, c.id`;
}

/** As `writeVouchers` leaves them. */
async function selectVouchers({ merchantId, sql }: Tx, { live, now }: StaffBatch): Promise<VoucherChange[]> {
  const uids = live.map(({ uid }) => uid);
  const rows = await sql`
    select v.voucher_code, c.name, v.expires_at <= ${now} as is_expired, v.issued_by = any(${uids}::uuid[]) or exists (
      select from transactions t where t.merchant_id = v.merchant_id and t.uid = v.issued_by and t.status = 'voided'
    ) as is_cancelled
    from vouchers v join voucher_campaigns c on c.merchant_id = v.merchant_id and c.id = v.campaign_id
    where v.merchant_id = ${merchantId} and v.id in (
      select id from vouchers where merchant_id = ${merchantId} and redeemed_by = any(${uids}::uuid[])
      union
      select id from vouchers
      where merchant_id = ${merchantId} and issued_by = any(${uids}::uuid[]) and redeemed_at is null and cancelled_at is null)
    order by v.voucher_code`;
  return rows.map((row) => ({
    voucherCode: formatVoucherCode(row.voucher_code),
    campaignName: row.name,
    becomes: row.is_cancelled ? 'cancelled' : row.is_expired ? 'expired' : 'usable',
  }));
}

function fingerprint({ live, plan }: StaffBatch, changes: Map<string, Value>, vouchers: VoucherChange[]): string {
  const what = {
    voided: live.map(({ uid, status }) => [uid, status]).sort(),
    shortfalls: [...plan.shortfalls].sort(),
    changes: [...changes].map(([id, { principal, bonus, points }]) => [id, principal, bonus, points]).sort(),
    vouchers: vouchers.map(({ voucherCode, becomes }) => [voucherCode, becomes]),
  };
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url');
}
