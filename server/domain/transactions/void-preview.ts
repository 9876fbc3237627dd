/** Describes the effect of a planned void in terms that staff can check before they confirm it. */

import { createHash } from 'node:crypto';
import { and, eq, exists, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { customers, lots, transactions, voucherCampaigns, vouchers } from '@/db/schema';
import { fullName } from '../identity';
import { formatVoucherCode } from '../kernel/voucher-code';
import { sumsOf, type Value } from '../ledger';
import { type ListedTransaction, selectTransactions } from './list';
import type { Blocking, VoidRow } from './void-batch';
import type { VoidPlan } from './void-plan';

export interface StaffBatch {
  /** Those that are not voided yet. */
  live: VoidRow[];
  plan: VoidPlan;
  blocking: Blocking[];
  now: Date;
}

export interface PreviewedTransaction extends ListedTransaction {
  outcome: 'voided' | 'alreadyVoided' | 'blocked';
  /** What prevents the void; null if nothing does. */
  blocking: Blocking | null;
  /** Points of a sale that were spent and can't be deducted. */
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
  /** What happens to the vouchers that were redeemed or issued. */
  vouchers: VoucherChange[];
  /** A hash of this preview. The void is refused if its effect would be another. */
  effect: string;
}

export async function describeVoid(tx: Tx, batch: StaffBatch, uids: string[]): Promise<VoidPreview> {
  const changes = changesOf(batch);
  const [rows, customers, vouchers] = await Promise.all([
    selectTransactions(
      tx,
      recordset(
        'page',
        { uid: transactions.uid },
        uids.map((uid) => ({ uid })),
      ),
    ),
    selectCustomers(tx, [...changes.keys()], batch.now),
    selectVouchers(tx, batch),
  ]);
  return {
    transactions: rows.map((row) => outcomeOf(row, batch)),
    customers: customers.map(({ customerId, name, ...before }) => {
      const change = changes.get(customerId) as Value;
      return { customerId, name, before, after: add(before, change) };
    }),
    vouchers,
    effect: fingerprint(batch, changes, vouchers),
  };
}

/** Returns the `effect` that a preview of this batch has. */
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

/** How much each customer gains or loses of what can be spent. Expired lots never count. */
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

function selectCustomers({ merchantId, db }: Tx, customerIds: string[], now: Date) {
  const held = db
    .select(sumsOf(lots))
    .from(lots)
    .where(
      and(
        eq(lots.merchantId, customers.merchantId),
        eq(lots.customerId, customers.id),
        lots.open,
        or(isNull(lots.expiresAt), gt(lots.expiresAt, now)),
      ),
    )
    .as('held');
  return db
    .select({ customerId: customers.id, name: fullName, ...held._.selectedFields })
    .from(customers)
    .crossJoinLateral(held)
    .where(and(eq(customers.merchantId, merchantId), anyOf(customers.id, customerIds)))
    .orderBy(fullName, customers.id);
}

/** The vouchers' state after `writeVouchers`. */
async function selectVouchers({ merchantId, db }: Tx, { live, now }: StaffBatch): Promise<VoucherChange[]> {
  const uids = live.map(({ uid }) => uid);
  const own = eq(vouchers.merchantId, merchantId);
  const redeemed = db
    .select({ id: vouchers.id })
    .from(vouchers)
    .where(and(own, anyOf(vouchers.redeemedBy, uids)));
  const unused = db
    .select({ id: vouchers.id })
    .from(vouchers)
    .where(and(own, anyOf(vouchers.issuedBy, uids), isNull(vouchers.redeemedAt), isNull(vouchers.cancelledAt)));
  const voidedIssuer = db
    .select({ uid: transactions.uid })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, vouchers.merchantId),
        eq(transactions.uid, vouchers.issuedBy),
        eq(transactions.status, 'voided'),
      ),
    );
  const rows = await db
    .select({
      voucherCode: vouchers.voucherCode,
      campaignName: voucherCampaigns.name,
      isExpired: sql<boolean | null>`${lte(vouchers.expiresAt, now)}`,
      isCancelled: sql<boolean | null>`${or(anyOf(vouchers.issuedBy, uids), exists(voidedIssuer))}`,
    })
    .from(vouchers)
    .innerJoin(
      voucherCampaigns,
      and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
    )
    .where(and(own, inArray(vouchers.id, redeemed.union(unused))))
    .orderBy(vouchers.voucherCode);
  return rows.map(({ voucherCode, campaignName, isExpired, isCancelled }) => ({
    voucherCode: formatVoucherCode(voucherCode),
    campaignName,
    becomes: isCancelled ? 'cancelled' : isExpired ? 'expired' : 'usable',
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
