import { type BalancePart, type EntryKind, noValue, type Value } from '../ledger';

/** What the void of one transaction did, in minor units and points. */
export interface VoidedMove {
  /** What came back to the customer and had not expired. Points may have paid what the customer owed. */
  returned: Value;
  /** What would have come back, but its last day was over. */
  expired: Value;
  /** What the transaction had credited, and the void took. What had expired by itself before is not taken. */
  taken: Value;
}

interface Entry {
  /** Null for an expiry that the void causes. */
  transactionUid: string | null;
  lotId: string;
  part: BalancePart;
  kind: EntryKind;
  amount: number;
}

/**
 * Sums a void's entries, in their order, for each of its transactions. What then expires in a lot counts for those that
 * came back to it first. `isUsable` is false for lots that have expired. Transactions that moved nothing are absent.
 */
export function movesOf(
  transactions: { uid: string }[],
  entries: Entry[],
  isUsable: (lotId: string) => boolean,
): Map<string, VoidedMove> {
  const voided = new Set(transactions.map(({ uid }) => uid));
  const moves = new Map<string, VoidedMove>();
  const cameBack = new Map<string, { move: VoidedMove; amount: number }[]>();
  /** By transaction and lot: how much the transaction's void took from the lot and did not put back. */
  const takenFrom = new Map<string, number>();
  for (const { transactionUid, lotId, part, kind, amount } of entries) {
    if (transactionUid === null) {
      let left = -amount;
      for (const back of cameBack.get(lotId) ?? []) {
        const expired = Math.min(left, back.amount);
        back.amount -= expired;
        back.move.returned[part] -= expired;
        back.move.expired[part] += expired;
        left -= expired;
      }
    } else if (voided.has(transactionUid) && kind !== 'expiryReversal') {
      const move = moves.get(transactionUid) ?? {
        returned: { ...noValue },
        expired: { ...noValue },
        taken: { ...noValue },
      };
      moves.set(transactionUid, move);
      const place = `${transactionUid} ${lotId}`;
      const taken = takenFrom.get(place) ?? 0;
      // What the same void took and puts back again never left the customer.
      const putBack = Math.max(0, Math.min(amount, taken));
      const returned = Math.max(0, amount) - putBack;
      const change = Math.max(0, -amount) - putBack;
      takenFrom.set(place, taken + change);
      if (isUsable(lotId)) move.taken[part] += change;
      if (returned === 0) continue;
      move.returned[part] += returned;
      cameBack.set(lotId, [...(cameBack.get(lotId) ?? []), { move, amount: returned }]);
    }
  }
  return moves;
}
