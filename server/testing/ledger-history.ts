/** Builds a valid ledger in memory from events, for the tests of `planVoid`. */
import type { Debt, PlannedLot, RecordedEntry, VoidableTransaction } from '@/server/domain/transactions/void-plan';

export const now = new Date('2026-03-10T00:00:00Z');
export const past = new Date('2026-03-09T00:00:00Z');
export const future = new Date('2026-03-20T00:00:00Z');

export type Event =
  | { kind: 'topUp'; customer: number; principal: number; bonus: number; expiry: Date | null }
  | { kind: 'sale'; customer: number; points: number; expiry: Date | null }
  | { kind: 'spend'; customer: number; what: 'money' | 'points'; amount: number }
  | { kind: 'expiryJob'; customer: number };

export interface History {
  transactions: VoidableTransaction[];
  entries: RecordedEntry[];
  lots: PlannedLot[];
  debts: Debt[];
  now: Date;
}

/**
 * Builds a valid ledger from events: values are granted, spent from any open lot, and written off after their expiry.
 */
export function playHistory(events: Event[]): History {
  const history: History = { transactions: [], entries: [], lots: [], debts: [], now };
  const { transactions, entries, lots } = history;
  const write = (uid: string, lot: PlannedLot, kind: RecordedEntry['kind'], amount: number) => {
    if (kind !== 'grant') lot.remaining += amount;
    const { customerId, id: lotId, part } = lot;
    entries.push({ id: entries.length + 1, transactionUid: uid, customerId, lotId, part, kind, amount });
  };
  const grant = (uid: string, customerId: string, part: PlannedLot['part'], amount: number, expiresAt: Date | null) => {
    const id = `lot-${lots.length}`;
    const lot = {
      id,
      customerId,
      transactionUid: uid,
      part,
      granted: amount,
      remaining: amount,
      expiresAt,
    };
    lots.push(lot);
    write(uid, lot, 'grant', amount);
  };
  events.forEach((event, n) => {
    const uid = `uid-${String(n).padStart(3, '0')}`;
    const customerId = `customer-${event.customer}`;
    if (event.kind !== 'expiryJob') transactions.push({ uid, customerId });
    if (event.kind === 'topUp') {
      grant(uid, customerId, 'principal', event.principal, null);
      if (event.bonus > 0) grant(uid, customerId, 'bonus', event.bonus, event.expiry);
    } else if (event.kind === 'sale') {
      grant(uid, customerId, 'points', event.points, event.expiry);
    } else if (event.kind === 'spend') {
      let left = event.amount;
      for (const lot of lots) {
        const taken = Math.min(left, lot.remaining);
        if (lot.customerId !== customerId || (lot.part === 'points') !== (event.what === 'points') || taken === 0)
          continue;
        write(uid, lot, 'spend', -taken);
        left -= taken;
      }
    } else {
      for (const lot of lots) {
        if (lot.customerId === customerId && lot.expiresAt === past && lot.remaining > 0)
          write(uid, lot, 'expiry', -lot.remaining);
      }
    }
  });
  return history;
}
