/**
 * Computes in memory what a void does to the ledger. Pure except for the ids of new lots, so that every order and
 * combination can be tested.
 */
import { newId } from '../kernel/ids';
import type { BalancePart, EntryKind, LotChange, NewLot } from '../ledger';
import { movesOf, type VoidedMove } from './void-moves';

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

/** Points that a voided sale or adjustment, or a refunded part of a sale, still owes, because they were spent. */
export interface Debt {
  transactionUid: string;
  customerId: string;
  points: number;
  /** False if a part of the sale was refunded. */
  isOfVoid: boolean;
}

/** A lot of a top-up whose payer disputes the payment. */
export interface DisputedLot {
  lotId: string;
  /** The adjustment that took what was left of the top-up. */
  blockUid: string;
  /** How much more of what was paid the payer wants back. */
  claim: number;
}

export interface PlannedEntry {
  /** Null for an expiry that the void causes: it belongs to a transaction of its own. */
  transactionUid: string | null;
  customerId: string;
  lotId: string;
  part: BalancePart;
  kind: EntryKind;
  amount: number;
}

export interface RecordedEntry extends PlannedEntry {
  /** Increases over time, for each customer. */
  id: number;
  transactionUid: string;
}

export type PlannedNewLot = NewLot & { customerId: string; transactionUid: string };

export interface VoidPlan {
  entries: PlannedEntry[];
  /** The lots that change, with their new remainders and expiries. */
  lots: PlannedLot[];
  /** Lots for what a merged customer spent: it comes back to the kept customer. They are among `lots`, too. */
  newLots: PlannedNewLot[];
  /** Lots among `lots` that live on until the new expiry. */
  revived: PlannedLot[];
  /** What each voided transaction moved. Transactions that moved nothing are absent. */
  moves: Map<string, VoidedMove>;
  /** Points that each voided transaction then still owes. */
  shortfalls: Map<string, number>;
  /** Transactions whose stored value was spent. If there are any, nothing of the plan may be written. */
  blocking: string[];
}

/** The transactions to void, and the part of the ledger that they touch. */
export interface Ledger {
  /** Completed transactions to void, in any order. They are processed newest first. */
  transactions: VoidableTransaction[];
  /**
   * Their entries, the expiry entries of the lots that they granted, and entries that took points for earlier voided
   * grants that they had spent.
   */
  entries: RecordedEntry[];
  /** The lots of those entries, and the customers' open points lots. */
  lots: PlannedLot[];
  /** What the customers owe: for earlier voids, oldest first, then for refunds, oldest sale first. */
  debts: Debt[];
  /** What a replacing transaction spends again, from exactly these lots. */
  again?: { transactionUid: string; spends: LotChange[] };
  /** The lots of disputed top-ups. */
  disputed?: DisputedLot[];
  /** Merged customers, and the customer who holds what was theirs. */
  keptIds?: Map<string, string>;
  /** Until when value can be spent that comes back after its last day; null if it expires at once. */
  returnedUntil?: Date | null;
  now: Date;
}

/**
 * Mirrors every entry of `transactions`: spent value goes back to the lots that it came from, and granted value is
 * taken out of its own lots. If granted stored value was spent, that blocks the void. If granted points were spent,
 * they are taken from the customer's other lots, never below zero, and what is missing stays owed. Points that come
 * back pay what is owed, or go to the lots that made up for it. What comes back to an expired lot expires at once, or
 * lives on until `returnedUntil`. What comes back of a disputed top-up is blocked at once. What refunds took of a sale's points before is not taken again.
 */
export function planVoid(ledger: Ledger): VoidPlan {
  const { transactions, entries, again } = ledger;
  const books = openBooks(ledger);
  const voided = new Set(transactions.map(({ uid }) => uid));
  // The void takes all of a sale's points, so also what the customer owes for its refunds.
  const debts = ledger.debts.filter(({ transactionUid }) => !voided.has(transactionUid));
  for (const { transactionUid } of ledger.debts)
    if (voided.has(transactionUid)) books.plan.shortfalls.set(transactionUid, 0);
  const { plan, lots, move } = books;
  const restored = new Set<PlannedLot>();
  const cameBack = new Map<PlannedLot, number>();
  const newDebts: Debt[] = [];

  for (const transaction of newestFirst(transactions, entries)) {
    const own = entries.filter((entry) => entry.transactionUid === transaction.uid && entry.kind !== 'expiry');
    for (const entry of own.filter(({ amount, kind }) => amount < 0 && kind !== 'void')) {
      const lot = books.giveBackTo(transaction.uid, known(lots, entry.lotId), -entry.amount);
      restored.add(lot);
      if (lot.part === 'points') cameBack.set(lot, (cameBack.get(lot) ?? 0) - entry.amount);
    }
    const takenBack = takenBackOf(own);
    for (const entry of own.filter(({ amount, kind }) => amount > 0 && kind !== 'void')) {
      const lot = known(lots, entry.lotId);
      const left = lot.part === 'points' ? entry.amount - takenBack : entry.amount;
      for (const expiry of entries.filter(({ lotId, kind }) => lotId === lot.id && kind === 'expiry')) {
        move(expiry.transactionUid, lot, 'expiryReversal', -expiry.amount);
      }
      const missing = Math.max(0, left - lot.remaining);
      if (missing > 0 && lot.part !== 'points') {
        plan.blocking.push(transaction.uid);
        break;
      }
      move(transaction.uid, lot, 'void', missing - left);
      const customerId = books.holderOf(lot.customerId);
      const points = books.takeAnywhere(transaction.uid, customerId, missing);
      if (points > 0) newDebts.unshift({ transactionUid: transaction.uid, customerId, points, isOfVoid: true });
    }
  }
  for (const lot of giveBack(books, entries, cameBack)) restored.add(lot);
  const ofVoids = debts.filter(({ isOfVoid }) => isOfVoid);
  const ofRefunds = debts.filter(({ isOfVoid }) => !isOfVoid);
  settleDebts(books, [...ofVoids, ...newDebts, ...ofRefunds], cameBack);
  // Before the rest expires, because this part never really came back.
  for (const { lotId, amount } of again?.spends ?? []) {
    move(again?.transactionUid ?? null, known(lots, lotId), 'spend', -amount);
  }
  blockDisputed(books, ledger, new Set([...voided, again?.transactionUid ?? null]));
  for (const lot of restored) {
    if (!books.isUsable(lot)) move(null, lot, 'expiry', -lot.remaining);
  }
  return { ...plan, lots: [...books.touched], moves: movesOf(transactions, plan.entries, books.isUsableLot) };
}

/** Takes what came back to the lots of disputed top-ups, as the dispute took what was left of them when it was opened. */
function blockDisputed({ plan, lots, move }: Books, { disputed = [] }: Ledger, changedBy: Set<string | null>): void {
  const claims = new Map(disputed.map(({ blockUid, claim }) => [blockUid, claim]));
  for (const { lotId, blockUid } of disputed) {
    const lot = known(lots, lotId);
    const cameBack = plan.entries.reduce(
      (sum, entry) => (entry.lotId === lotId && changedBy.has(entry.transactionUid) ? sum + entry.amount : sum),
      0,
    );
    const claim = claims.get(blockUid) ?? 0;
    const taken = Math.max(0, lot.part === 'principal' ? Math.min(cameBack, claim) : cameBack);
    if (lot.part === 'principal') claims.set(blockUid, claim - taken);
    move(blockUid, lot, 'adjustment', -taken);
  }
}

/** Points that refunds have taken of a sale, from its own lot and others. */
const takenBackOf = (own: RecordedEntry[]): number =>
  own.reduce((sum, { kind, amount }) => (kind === 'void' ? sum - amount : sum), 0);

/**
 * Takes points back of a sale that stays, because its payers get money back: `points` in all, with what earlier refunds took.
 * They come from its own lot first, then from others, soonest to expire first, and what is missing is owed. Points that have
 * expired count first, as the customer has lost them already. Returns how many are taken or owed more (`taken`), too.
 */
export function planTakeBack(ledger: Omit<Ledger, 'transactions'>, uid: string, points: number) {
  const books = openBooks({ ...ledger, transactions: [] });
  const { plan, lots, move, touched } = books;
  const own = ledger.entries.filter((entry) => entry.transactionUid === uid);
  const owed = ledger.debts.find(({ transactionUid }) => transactionUid === uid)?.points ?? 0;
  const takenBefore = takenBackOf(own) + owed;
  let taken = 0;
  for (const { lotId } of own.filter(({ kind, part }) => kind === 'grant' && part === 'points')) {
    const lot = known(lots, lotId);
    const expired = ledger.entries
      .filter((entry) => entry.lotId === lotId && entry.kind === 'expiry')
      .reduce((sum, { amount }) => sum - amount, 0);
    taken = Math.max(0, points - expired - takenBefore);
    const fromLot = Math.min(taken, lot.remaining);
    move(uid, lot, 'void', -fromLot);
    const missing = books.takeAnywhere(uid, books.holderOf(lot.customerId), taken - fromLot);
    if (missing > 0) plan.shortfalls.set(uid, owed + missing);
  }
  return { plan: { ...plan, lots: [...touched], moves: movesOf([{ uid }], plan.entries, books.isUsableLot) }, taken };
}

/** True if what remains in the lot can be spent at `now`. */
export const isUsableAt = ({ expiresAt }: Pick<PlannedLot, 'expiresAt'>, now: Date): boolean =>
  expiresAt === null || expiresAt > now;

type Books = ReturnType<typeof openBooks>;

/** Tracks how lots change, and the entries to be written. */
function openBooks({ transactions, lots: given, keptIds, returnedUntil = null, now }: Ledger) {
  const lots = new Map(given.map((lot) => [lot.id, { ...lot }]));
  const plan: VoidPlan = {
    entries: [],
    lots: [],
    newLots: [],
    revived: [],
    moves: new Map(),
    shortfalls: new Map(),
    blocking: [],
  };
  const voided = new Set(transactions.map(({ uid }) => uid));
  const holderOf = (customerId: string) => keptIds?.get(customerId) ?? customerId;
  const touched = new Set<PlannedLot>();
  const isUsable = (lot: PlannedLot) => isUsableAt(lot, now);

  const move = (transactionUid: string | null, lot: PlannedLot, kind: PlannedEntry['kind'], amount: number) => {
    if (amount === 0) return;
    lot.remaining += amount;
    touched.add(lot);
    const { customerId, id: lotId, part } = lot;
    plan.entries.push({ transactionUid, customerId, lotId, part, kind, amount });
  };

  /** Lets an expired lot live on, without what remained of it. Lots whose grant is voided as well need no longer life. */
  const revive = (lot: PlannedLot) => {
    if (returnedUntil === null || isUsable(lot) || voided.has(lot.transactionUid)) return;
    move(null, lot, 'expiry', -lot.remaining);
    lot.expiresAt = returnedUntil;
    plan.revived.push(lot);
  };

  /** Returns what was spent of a lot to it. A merged customer's comes back as a new lot of the kept customer. */
  const giveBackTo = (transactionUid: string, from: PlannedLot, amount: number): PlannedLot => {
    const holder = holderOf(from.customerId);
    if (holder === from.customerId) {
      revive(from);
      move(transactionUid, from, 'void', amount);
      return from;
    }
    const lot = { ...from, id: newId(), customerId: holder, transactionUid, granted: amount, remaining: 0 };
    if (!isUsable(lot) && returnedUntil !== null) lot.expiresAt = returnedUntil;
    lots.set(lot.id, lot);
    const { id, part, expiresAt } = lot;
    plan.newLots.push({ id, part, amount, expiresAt, customerId: holder, transactionUid });
    move(transactionUid, lot, 'grant', amount);
    return lot;
  };

  /** Takes points from any of the customer's lots, soonest to expire first. Returns how many are missing. */
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
  const isUsableLot = (lotId: string) => isUsable(known(lots, lotId));
  return { lots, plan, touched, holderOf, isUsable, isUsableLot, move, revive, giveBackTo, takeAnywhere };
}

/**
 * Pays debts, in their order, with at most the points that came back to their customer. Expired points pay only for the
 * sale that earned them, to whose lot they came back.
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
 * Points that come back to an earlier voided grant replace what was taken for it from other lots, so that the order of
 * two voids makes no difference. If these lots belong to a voided grant as well, the points go on from there. Returns
 * the lots.
 */
function giveBack(
  { lots, plan, move, revive }: Books,
  entries: RecordedEntry[],
  cameBack: Map<PlannedLot, number>,
): PlannedLot[] {
  const others: PlannedLot[] = [];
  /** By voided grant: how much was taken for it, from which lots. */
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
      revive(other);
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

/** By when they happened: what refunds took of a sale since then makes it no newer. */
function newestFirst(transactions: VoidableTransaction[], entries: RecordedEntry[]): VoidableTransaction[] {
  const latest = new Map<string, number>();
  for (const { transactionUid, id, kind } of entries)
    if (kind !== 'void') latest.set(transactionUid, Math.max(id, latest.get(transactionUid) ?? 0));
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
