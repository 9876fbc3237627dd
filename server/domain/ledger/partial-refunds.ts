/** Partial refunds of redemptions, as people see them: what came back, when, by whom and why (ADR 20). */
import { and, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { partialRefunds, transactions, users, voids } from '@/db/schema';

/** Minor units. */
export interface RefundedPart {
  amount: number;
  at: Date;
  by: string | null;
  reason: string | null;
}

type RefundTx = Pick<Tx, 'merchantId' | 'db'>;

function selectRefunds({ merchantId, db }: RefundTx, restUids: string[]) {
  const { restUid, voidedUid, amount } = partialRefunds;
  return db
    .select({ restUid, voidedUid, amount, at: voids.createdAt, by: users.name, reason: voids.reason })
    .from(partialRefunds)
    .innerJoin(transactions, and(eq(transactions.merchantId, merchantId), eq(transactions.uid, voidedUid)))
    .innerJoin(voids, and(eq(voids.merchantId, merchantId), eq(voids.id, transactions.voidId)))
    .leftJoin(users, eq(users.id, voids.userId))
    .where(and(eq(partialRefunds.merchantId, merchantId), anyOf(restUid, restUids)));
}

/**
 * Returns the partial refunds of redemptions, newest first, by the transaction that has the rest now. Each refund voids the
 * transaction with the rest of the one before.
 */
export async function listPartialRefunds(tx: RefundTx, uids: string[]): Promise<Map<string, RefundedPart[]>> {
  const refunds = new Map<string, RefundedPart[]>();
  let roots = new Map(uids.map((uid) => [uid, uid]));
  while (roots.size > 0) {
    const found = await selectRefunds(tx, [...roots.keys()]);
    const next = new Map<string, string>();
    for (const { restUid, voidedUid, ...refund } of found) {
      const root = roots.get(restUid) as string;
      refunds.set(root, [...(refunds.get(root) ?? []), refund]);
      next.set(voidedUid, root);
    }
    roots = next;
  }
  return refunds;
}

/** Returns those of these transactions that a partial refund has replaced by the rest. */
export async function findReplaced({ merchantId, db }: RefundTx, uids: string[]): Promise<Set<string>> {
  const { voidedUid } = partialRefunds;
  const rows = await db
    .select({ voidedUid })
    .from(partialRefunds)
    .where(and(eq(partialRefunds.merchantId, merchantId), anyOf(voidedUid, uids)));
  return new Set(rows.map((row) => row.voidedUid));
}
