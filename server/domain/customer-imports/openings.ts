/**
 * Opening balances: what imported customers had in another programme. They are adjustments, and the file is their
 * reason.
 */
import type { Tx } from '@/db/driver';
import { insertRows } from '@/db/query/expressions';
import { adjustments, type ImportOpenings, transactions } from '@/db/schema';
import { newId } from '../kernel/ids';
import { type BalancePart, noValue, postEntries, type Value } from '../ledger';
import type { Opening } from './rows';

export interface CustomerOpening {
  customerId: string;
  opening: Opening;
}

/** The import that the balances belong to. */
interface Source {
  importId: string;
  userId: string;
  fileName: string;
}

const insertTransactions = insertRows(transactions, [
  'uid',
  'type',
  'status',
  'customerId',
  'amount',
  'occurredAt',
  'createdAt',
]);
const insertAdjustments = insertRows(adjustments, [
  'id',
  'transactionUid',
  'userId',
  'part',
  'amount',
  'expiresAt',
  'reason',
  'importId',
]);

const parts: BalancePart[] = ['principal', 'bonus', 'points'];

/** Sends the opening balances of new customers, an adjustment for each part. Returns their sum. */
export function sendOpenings(tx: Tx, source: Source, openings: CustomerOpening[], now: Date): Value {
  const sum = { ...noValue };
  const posted = openings.flatMap(({ customerId, opening }) =>
    parts.flatMap((part) => {
      const amount = opening[part];
      if (amount === 0) return [];
      sum[part] += amount;
      const expiresAt = part === 'principal' ? null : opening.expiresAt[part];
      return [{ customerId, part, amount, expiresAt, uid: newId(now.getTime()), lotId: newId(), createdAt: now }];
    }),
  );
  if (posted.length === 0) return sum;
  const { importId, userId, fileName } = source;
  tx.send(
    insertTransactions(
      tx,
      posted.map(({ uid, customerId, amount, createdAt }) => ({
        uid,
        type: 'adjustment' as const,
        status: 'completed' as const,
        customerId,
        amount,
        occurredAt: createdAt,
        createdAt,
      })),
    ),
    insertAdjustments(
      tx,
      posted.map(({ uid, part, amount, expiresAt }) => ({
        id: newId(),
        transactionUid: uid,
        userId,
        part,
        amount,
        expiresAt,
        reason: fileName,
        importId,
      })),
    ),
    postEntries(
      tx,
      posted.map(({ uid: transactionUid, lotId, customerId, part, amount, createdAt }) => ({
        transactionUid,
        lotId,
        customerId,
        part,
        amount,
        createdAt,
        kind: 'adjustment' as const,
      })),
      posted.map(({ uid: transactionUid, lotId: id, customerId, part, amount, expiresAt, createdAt }) => ({
        transactionUid,
        id,
        customerId,
        part,
        amount,
        expiresAt,
        createdAt,
      })),
    ),
  );
  return sum;
}

/** Adds up two values. */
export const addValues = (one: Value, other: Value): Value => ({
  principal: one.principal + other.principal,
  bonus: one.bonus + other.bonus,
  points: one.points + other.points,
});

/** Adds the vouchers of a batch to those of the import. */
export function addVouchers(
  before: ImportOpenings['vouchers'],
  given: CustomerOpening[],
): Pick<ImportOpenings, 'vouchers'> {
  const added = given.flatMap(({ opening: { vouchers } }) => vouchers ?? []);
  if (added.length === 0) return before ? { vouchers: before } : {};
  const { campaignIds, imported, cancelled } = before ?? { campaignIds: [], imported: 0, cancelled: 0 };
  return {
    vouchers: {
      campaignIds: [...new Set([...campaignIds, ...added.map(({ campaignId }) => campaignId)])],
      imported: added.reduce((sum, { count }) => sum + count, imported),
      cancelled,
    },
  };
}
