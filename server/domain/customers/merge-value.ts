import { and, asc, eq } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { adjustments, lots, transactions } from '@/db/schema';
import { newId } from '../kernel/ids';
import { type BalancePart, postEntries } from '../ledger';

interface Move {
  keptId: string;
  mergedId: string;
  userId: string;
  now: Date;
  /** Only the lots that these transactions granted. Default: all. */
  grantedBy?: string[];
}

/** Of lots of the same age, those with the lowest transaction id are spent first: bonus before the paid part. */
const parts: BalancePart[] = ['bonus', 'principal', 'points'];

/**
 * Moves a merged customer's value to the kept one. For each part, one adjustment takes it from the old lots, and
 * another grants lots with the same remainder, expiry and age. Requires the locks of both balances. Returns the granting
 * adjustments.
 */
export async function moveValue(tx: Tx, { keptId, mergedId, userId, now, grantedBy: only }: Move): Promise<string[]> {
  const { merchantId, db } = tx;
  const { id, part, remaining, expiresAt, createdAt } = lots;
  const open = await db
    .select({ id, part, remaining, expiresAt, createdAt })
    .from(lots)
    .where(
      and(
        eq(lots.merchantId, merchantId),
        eq(lots.customerId, mergedId),
        lots.open,
        only && anyOf(lots.transactionUid, only),
      ),
    )
    .orderBy(asc(lots.createdAt), asc(lots.id));
  if (open.length === 0) return [];
  const uids = parts.map(() => newId(now.getTime())).sort();
  const moves = parts.flatMap((one, n) => {
    const own = open.filter((lot) => lot.part === one);
    const amount = own.reduce((sum, lot) => sum + lot.remaining, 0);
    return own.length === 0
      ? []
      : [{ part: one, own, amount, takenBy: newId(now.getTime()), grantedBy: uids[n] as string }];
  });
  const sides = moves.flatMap(({ part: one, amount, takenBy, grantedBy }) => [
    { uid: takenBy, part: one, amount: -amount, customerId: mergedId, mergedWith: keptId },
    { uid: grantedBy, part: one, amount, customerId: keptId, mergedWith: mergedId },
  ]);
  const kind = 'adjustment' as const;
  const moved = moves.flatMap(({ own, takenBy, grantedBy }) =>
    own.map(({ id: lotId, part: one, remaining: amount, expiresAt: expires, createdAt: age }) => {
      const lot = { id: newId(), part: one, amount, expiresAt: expires, customerId: keptId };
      return {
        lot: { ...lot, transactionUid: grantedBy, createdAt: age },
        entries: [
          { lotId, part: one, kind, amount: -amount, transactionUid: takenBy, customerId: mergedId, createdAt: now },
          { lotId: lot.id, part: one, kind, amount, transactionUid: grantedBy, customerId: keptId, createdAt: now },
        ],
      };
    }),
  );
  await db.insert(transactions).values(
    sides.map(({ uid, amount, customerId }) => ({
      merchantId,
      uid,
      type: 'adjustment' as const,
      status: 'completed' as const,
      customerId,
      amount,
      occurredAt: now,
      createdAt: now,
    })),
  );
  await db.insert(adjustments).values(
    sides.map(({ uid, part: one, amount, mergedWith }) => ({
      merchantId,
      id: newId(now.getTime()),
      transactionUid: uid,
      userId,
      part: one,
      amount,
      mergedWith,
      reason: '',
    })),
  );
  await postEntries(
    tx,
    moved.flatMap(({ entries }) => entries),
    moved.map(({ lot }) => lot),
  );
  return moves.map(({ grantedBy }) => grantedBy);
}
