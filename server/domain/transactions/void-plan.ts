/** What a void does to the ledger, computed in memory: pure, so that every order and mixture can be tested. */
import type { BalancePart, EntryKind, LotChange } from '../ledger';

export interface VoidableTransaction {
  uid: string;
  customerId: string | null;
}

export interface PlannedLot {
  id: string;
  customerId: string;
  /** The transaction that granted it. */
  transactionUid: string;
  part: BalancePart;
  granted: number;
  remaining: number;
  expiresAt: Date | null;
}

/** Points that a voided sale or adjustment still owes, for they were spent. */
export interface Debt {
  transactionUid: string;
  customerId: string;
  points: number;
}

export interface PlannedEntry {
  /** Null: an expiry that the void brings about; it belongs to a transaction of its own. */
  transactionUid: string | null;
  customerId: string;
  lotId: string;
  part: BalancePart;
  kind: EntryKind;
  amount: number;
}

export interface RecordedEntry extends PlannedEntry {
  /** Rises with time for each customer. */
  id: number;
  transactionUid: string;
}

export interface VoidPlan {
  entries: PlannedEntry[];
  /** The lots that change, with what then remains in them. */
  lots: PlannedLot[];
  /** Points that are then still owed, by what was voided. */
  shortfalls: Map<string, number>;
  /** The transactions whose stored value was spent: with any of them, nothing of the plan may be written. */
  blocking: string[];
}

/** What there is to void, and what of the ledger that touches. */
export interface Ledger {
  /** Completed transactions to void, in any order: they are worked newest first. */
  transactions: VoidableTransaction[];
  /**
   * Their entries, the expiry entries of the lots they granted, and those by which points were taken for grants of which they
   * spent, and which were voided before.
   */
  entries: RecordedEntry[];
  /** The lots of those entries, and the customers' open points lots. */
  lots: PlannedLot[];
  /** What the customers owe for what was voided earlier, oldest first. */
  debts: Debt[];
  /** What a transaction that takes their place spends again, from the very lots. */
  again?: { transactionUid: string; spends: LotChange[] };
  now: Date;
}

/**
 * Mirrors every entry of `transactions`: value goes back to the very lots it came from, and what was granted is taken
 * out of its own lots. Stored value that was spent blocks; points are then taken from the customer's other lots, never
 * below zero: what is missing stays owed, and points that come back pay for it, or go to the lots that made up for it. What
 * comes back to a lot past its time expires at once.
 */
export function planVoid({ transactions, entries, lots: given, debts, again, now }: Ledger): VoidPlan {
  const books = openBooks(given, now);
  const { plan, lots, move } = books;
  const restored = new Set<PlannedLot>();
  const cameBack = new Map<PlannedLot, number>();
  const newDebts: Debt[] = [];

  for (const transaction of newestFirst(transactions, entries)) {
    const own = entries.filter((entry) => entry.transactionUid === transaction.uid && entry.kind !== 'expiry');
    for (const entry of own.filter(({ amount }) => amount < 0)) {
      const lot = known(lots, entry.lotId);
      move(transaction.uid, lot, 'void', -entry.amount);
      restored.add(lot);
      if (lot.part === 'points') cameBack.set(lot, (cameBack.get(lot) ?? 0) - entry.amount);
    }
    for (const entry of own.filter(({ amount }) => amount > 0)) {
      const lot = known(lots, entry.lotId);
      for (const expiry of entries.filter(({ lotId, kind }) => lotId === lot.id && kind === 'expiry')) {
        move(expiry.transactionUid, lot, 'expiryReversal', -expiry.amount);
      }
      const missing = Math.max(0, entry.amount - lot.remaining);
      if (missing > 0 && lot.part !== 'points') {
        plan.blocking.push(transaction.uid);
        break;
      }
      move(transaction.uid, lot, 'void', missing - entry.amount);
      const points = books.takeAnywhere(transaction.uid, lot.customerId, missing);
      if (points > 0) newDebts.unshift({ transactionUid: transaction.uid, customerId: lot.customerId, points });
    }
  }
  for (const lot of giveBack(books, entries, cameBack)) restored.add(lot);
  settleDebts(books, [...debts, ...newDebts], cameBack);
  // Before the rest expires: what is spent again never came back.
  for (const { lotId, amount } of again?.spends ?? []) {
    move(again?.transactionUid ?? null, known(lots, lotId), 'spend', -amount);
  }
  for (const lot of restored) {
    if (!books.isUsable(lot)) move(null, lot, 'expiry', -lot.remaining);
  }
  return { ...plan, lots: [...books.touched] };
}

type Books = ReturnType<typeof openBooks>;

/** The lots as they change, and what is written of it. */
function openBooks(given: PlannedLot[], now: Date) {
  const lots = new Map(given.map((lot) => [lot.id, { ...lot }]));
  const plan: VoidPlan = { entries: [], lots: [], shortfalls: new Map(), blocking: [] };
  const touched = new Set<PlannedLot>();
  const isUsable = ({ expiresAt }: PlannedLot) => expiresAt === null || expiresAt > now;

  const move = (transactionUid: string | null, lot: PlannedLot, kind: PlannedEntry['kind'], amount: number) => {
    if (amount === 0) return;
    lot.remaining += amount;
    touched.add(lot);
    const { customerId, id: lotId, part } = lot;
    plan.entries.push({ transactionUid, customerId, lotId, part, kind, amount });
  };

  /** Takes points from any of the customer's lots, soonest to expire first; answers how many are missing. */
  const takeAnywhere = (transactionUid: string, customerId: string, points: number): number => {
    let missing = points;
    if (missing === 0) return 0;
    const usable = [...lots.values()].filter(
      (lot) => lot.customerId === customerId && lot.part === 'points' && lot.remaining > 0 && isUsable(lot),
    );
    for (const lot of usable.sort(bySoonestExpiry)) {
      const taken = Math.min(missing, lot.remaining);
      move(transactionUid, lot, 'void', -taken);
      missing -= taken;
    }
    return missing;
  };
  return { lots, plan, touched, isUsable, move, takeAnywhere };
}

/**
 * Debts are paid, oldest first, with no more points than came back to their customer. Points past their time pay only
 * the sale that earned them, whose own lot they came back to: to any other they are worth nothing.
 */
function settleDebts({ plan, move, isUsable, takeAnywhere }: Books, owed: Debt[], cameBack: Map<PlannedLot, number>) {
  const lots = [...cameBack.keys()].sort(bySoonestExpiry);
  for (const { transactionUid, customerId, points } of owed) {
    let missing = points;
    const isPaying = (lot: PlannedLot) =>
      lot.customerId === customerId && (isUsable(lot) || lot.transactionUid === transactionUid);
    for (const lot of lots.filter(isPaying)) {
      let paid = Math.min(missing, cameBack.get(lot) ?? 0);
      if (isUsable(lot)) paid -= takeAnywhere(transactionUid, customerId, paid);
      else {
        paid = Math.min(paid, lot.remaining);
        move(transactionUid, lot, 'void', -paid);
      }
      cameBack.set(lot, (cameBack.get(lot) ?? 0) - paid);
      missing -= paid;
    }
    plan.shortfalls.set(transactionUid, (plan.shortfalls.get(transactionUid) ?? 0) + missing);
  }
}

/**
 * Points that come back to a grant that was voided before replace what was taken for it from other lots, so that the order of
 * two voids makes no difference; where those are of a voided grant as well, they go further. Answers the lots.
 */
function giveBack(
  { lots, plan, move }: Books,
  entries: RecordedEntry[],
  cameBack: Map<PlannedLot, number>,
): PlannedLot[] {
  const others: PlannedLot[] = [];
  /** By the voided grant, what was taken for it from which lots. */
  const takings = new Map<string, Map<PlannedLot, number>>();
  for (const { transactionUid, kind, lotId, amount } of [...entries, ...plan.entries]) {
    const lot = known(lots, lotId);
    if (kind !== 'void' || transactionUid === null || lot.transactionUid === transactionUid) continue;
    const taken = takings.get(transactionUid) ?? new Map<PlannedLot, number>();
    takings.set(transactionUid, taken.set(lot, (taken.get(lot) ?? 0) - amount));
  }
  const queue = [...cameBack.keys()].sort(bySoonestExpiry);
  for (let lot = queue.shift(); lot; lot = queue.shift()) {
    const { transactionUid } = lot;
    const taken = takings.get(transactionUid) ?? new Map<PlannedLot, number>();
    let left = Math.min(cameBack.get(lot) ?? 0, lot.remaining);
    for (const other of [...taken.keys()].sort(bySoonestExpiry).reverse()) {
      const back = Math.min(left, taken.get(other) ?? 0);
      if (back === 0) continue;
      move(transactionUid, lot, 'void', -back);
      move(transactionUid, other, 'void', back);
      taken.set(other, (taken.get(other) ?? 0) - back);
      cameBack.set(lot, (cameBack.get(lot) ?? 0) - back);
      cameBack.set(other, (cameBack.get(other) ?? 0) + back);
      left -= back;
      others.push(other);
      queue.push(other);
    }
  }
  return others;
}

function newestFirst(transactions: VoidableTransaction[], entries: RecordedEntry[]): VoidableTransaction[] {
  const latest = new Map<string, number>();
  for (const { transactionUid, id } of entries)
    latest.set(transactionUid, Math.max(id, latest.get(transactionUid) ?? 0));
  return [...transactions].sort((a, b) => (latest.get(b.uid) ?? 0) - (latest.get(a.uid) ?? 0));
}

function known(lots: Map<string, PlannedLot>, id: string): PlannedLot {
  const lot = lots.get(id);
  if (!lot) throw new Error('a ledger entry names a lot that was not loaded');
  return lot;
}

function bySoonestExpiry(a: PlannedLot, b: PlannedLot): number {
  const never = Number.POSITIVE_INFINITY;
  const byExpiry = (a.expiresAt?.getTime() ?? never) - (b.expiresAt?.getTime() ?? never);
  if (byExpiry !== 0 && !Number.isNaN(byExpiry)) return byExpiry;
  return a.id < b.id ? -1 : 1;
}
