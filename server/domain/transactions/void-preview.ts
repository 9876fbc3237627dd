/** Describes the effect of a planned void in terms that staff can check before they confirm it. */

import { createHash } from 'node:crypto';
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, recordset } from '@/db/query/expressions';
import { customers, lots, transactions } from '@/db/schema';
import { fullName } from '../identity';
import { noValue, sumsOf, type Value } from '../ledger';
import { type ListedTransaction, selectTransactions } from './list';
import type { VoidEffect } from './schemas';
import type { Blocking } from './void-batch';
import { add, changesOf } from './void-effect';
import type { VoidPlan } from './void-plan';
import type { VoidRow } from './void-rows';
import { selectVoucherChanges, type VoucherChange } from './void-vouchers';

export interface StaffBatch {
  /** Those that are not voided yet. */
  live: VoidRow[];
  plan: VoidPlan;
  /** What the void does, by the uid of each transaction. */
  effects: Map<string, VoidEffect>;
  blocking: Blocking[];
  now: Date;
}

export interface PreviewedTransaction extends ListedTransaction {
  outcome: 'voided' | 'alreadyVoided' | 'blocked';
  /** What prevents the void; null if nothing does. */
  blocking: Blocking | null;
  /** Points of a sale that were spent and can't be deducted. */
  pointsShortfall: number;
  /** What comes back, but has expired: stored value in minor units, and points. */
  expiredValue: number;
  expiredPoints: number;
}

export interface VoidPreview {
  transactions: PreviewedTransaction[];
  /** What each customer can spend, before and after. */
  customers: { customerId: string; name: string; before: Value; after: Value }[];
  /** What happens to the vouchers that were redeemed or issued. */
  vouchers: Omit<VoucherChange, 'transactionUid'>[];
  /** A hash of this preview. The void is refused if its effect would be another. */
  effect: string;
}

export async function describeVoid(tx: Tx, batch: StaffBatch, uids: string[]): Promise<VoidPreview> {
  const changes = changesOf(batch.plan, batch.now);
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
    selectVoucherChanges(tx, batch.live, batch.now),
  ]);
  return {
    transactions: rows.map((row) => outcomeOf(row, batch)),
    customers: customers.map(({ customerId, name, ...before }) => {
      const change = changes.get(customerId) as Value;
      return { customerId, name, before, after: add(before, change) };
    }),
    vouchers: vouchers.map(({ transactionUid: _, ...voucher }) => voucher),
    effect: fingerprint(batch, changes, vouchers),
  };
}

/** Returns the `effect` that a preview of this batch has. */
export async function effectOf(tx: Tx, batch: StaffBatch): Promise<string> {
  return fingerprint(batch, changesOf(batch.plan, batch.now), await selectVoucherChanges(tx, batch.live, batch.now));
}

function outcomeOf(transaction: ListedTransaction, { plan, effects, blocking }: StaffBatch): PreviewedTransaction {
  const { uid, status } = transaction;
  const { expired } = effects.get(uid) ?? { expired: noValue };
  const inTheWay = blocking.find((one) => one.uid === uid) ?? null;
  return {
    ...transaction,
    outcome: status === 'voided' ? 'alreadyVoided' : inTheWay ? 'blocked' : 'voided',
    blocking: inTheWay,
    pointsShortfall: plan.shortfalls.get(uid) ?? 0,
    expiredValue: expired.principal + expired.bonus,
    expiredPoints: expired.points,
  };
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

function fingerprint({ live, plan }: StaffBatch, changes: Map<string, Value>, vouchers: VoucherChange[]): string {
  const what = {
    voided: live.map(({ uid, status }) => [uid, status]).sort(),
    shortfalls: [...plan.shortfalls].sort(),
    changes: [...changes].map(([id, { principal, bonus, points }]) => [id, principal, bonus, points]).sort(),
    vouchers: vouchers.map(({ voucherCode, becomes }) => [voucherCode, becomes]),
  };
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url');
}
