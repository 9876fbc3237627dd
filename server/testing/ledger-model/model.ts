/**
 * A plain model of the ledger in memory: lots, what each transaction took from them, vouchers, debts of points, and the
 * outcome of each `transactionId`. It has no entries and no expiry transactions: an expired lot just does not count.
 */
import type { ModelVoucher } from './vouchers';

export type Part = 'principal' | 'bonus' | 'points';

export interface Grant {
  part: Part;
  amount: number;
  expiresAt: Date | null;
}

export interface ModelLot extends Grant {
  customerId: string;
  /** The transaction or merge that granted it, or the voided one that had spent it of a merged customer. */
  transactionId: string;
  /** The order in which what expires together is spent. A merge keeps it. */
  age: number;
  origin: 'granted' | 'moved' | 'returned';
  /** True once value came back after its last day. */
  isWrittenOff: boolean;
  /**
   * The amount taken per transaction: by transactions that spent and were not voided, and by voided or refunded sales
   * that took points back.
   */
  taken: Map<string, number>;
}

/** What a merge moved. */
export interface ModelMerge {
  keptId: string;
  mergedId: string;
  at: Date;
  lots: ModelLot[];
  vouchers: { voucher: ModelVoucher; wasUsed: boolean }[];
}

/** An operation's outcome. `none`: an error without an outcome, which leaves the id free. */
export type Outcome =
  | { status: 'completed'; answer: object }
  | { status: 'refused' | 'none'; code: string; details?: object };

export interface ModelTransaction {
  /** Null for an id that was voided before its first use. */
  type: string | null;
  input: object | null;
  customerId: string | null;
  status: 'completed' | 'refused' | 'voided';
  outcome: Outcome | null;
}

export interface VoidResult {
  transactionId: string;
  status: 'voided' | 'already_voided' | 'not_found';
  type?: string;
  customerId?: string;
  pointsShortfall?: number;
}

export class LedgerModel {
  /** Oldest first. */
  readonly transactions = new Map<string, ModelTransaction>();
  /** Ids whose attempts had no outcome: they can be used again. */
  readonly freeIds: string[] = [];
  /** Points that the customers of voided and refunded sales still owe. */
  readonly debts = new Map<string, { customerId: string; points: number }>();
  /** In the order in which they came to be. */
  lots: ModelLot[] = [];
  /** Of merged customers: who was kept. */
  readonly holders = new Map<string, string>();
  /** Oldest first; only the last can be in force. */
  readonly merges: ModelMerge[] = [];
  /** Whether anything was moved for a transaction of a merged customer since the merge. */
  hasCrossed = false;
  private ages = 0;

  constructor(
    public now: Date,
    readonly customerIds: string[],
    readonly vouchers: ModelVoucher[],
  ) {}

  holderOf = (customerId: string): string => this.holders.get(customerId) ?? customerId;

  isPast = (expiresAt: Date | null): boolean => expiresAt !== null && expiresAt <= this.now;

  private left(lot: ModelLot): number {
    return this.isPast(lot.expiresAt) ? 0 : remaining(lot);
  }

  balanceOf(customerId: string) {
    const of = (part: Part) => sum(this.lotsOf(customerId, [part]).map((lot) => this.left(lot)));
    const [principal, bonus, points] = [of('principal'), of('bonus'), of('points')];
    return { storedValue: { balance: principal + bonus, principal, bonus }, points };
  }

  /** Returns what expires, soonest first, summed by time. */
  expiring(customerId: string, part: Part): { amount: number; expiresAt: string }[] {
    const byTime = new Map<string, number>();
    for (const lot of this.lotsOf(customerId, [part])) {
      if (lot.expiresAt === null || this.left(lot) === 0) continue;
      const at = lot.expiresAt.toISOString();
      byTime.set(at, (byTime.get(at) ?? 0) + this.left(lot));
    }
    return [...byTime].sort().map(([expiresAt, amount]) => ({ amount, expiresAt }));
  }

  /** Returns the codes that a customer can still redeem, soonest expiry first. */
  usableVouchers(customerId: string): string[] {
    return this.vouchers
      .filter(({ customerId: owner, redeemedBy }) => owner === this.holderOf(customerId) && redeemedBy === null)
      .filter(({ expiresAt }) => !this.isPast(expiresAt))
      .sort((a, b) => time(a) - time(b))
      .map(({ code }) => code);
  }

  grant(transactionId: string, customerId: string, grants: Grant[]): void {
    this.ages += 1;
    for (const grant of grants) {
      if (grant.amount > 0) this.addLot({ ...grant, customerId, transactionId, age: this.ages, origin: 'granted' });
    }
  }

  addLot(lot: Omit<ModelLot, 'taken' | 'isWrittenOff'>): ModelLot {
    const added = { ...lot, taken: new Map(), isWrittenOff: false };
    this.lots.push(added);
    return added;
  }

  private takeFrom(lot: ModelLot, transactionId: string, amount: number): void {
    if (amount === 0) return;
    lot.taken.set(transactionId, (lot.taken.get(transactionId) ?? 0) + amount);
    const owner = this.transactions.get(transactionId)?.customerId ?? lot.customerId;
    if (owner !== lot.customerId) this.hasCrossed = true;
  }

  /** Takes from lots that expire first, then from the oldest, and within a top-up from the bonus first. */
  take(transactionId: string, customerId: string, parts: Part[], amount: number): Record<Part, number> {
    const { used, missing } = this.takeWhatThereIs(transactionId, customerId, parts, amount, bySpendingOrder);
    if (missing > 0) throw new Error('the model took more than there was');
    return used;
  }

  /**
   * Pays out principal, from the oldest top-up on. The same share of the bonus that came with it lapses, rounded down.
   * Returns the bonus that lapses.
   */
  payOut(transactionId: string, customerId: string, amount: number): number {
    let [unpaid, lapsed] = [amount, 0];
    for (const lot of this.lotsOf(customerId, ['principal']).sort((a, b) => a.age - b.age)) {
      const before = this.left(lot);
      const paid = Math.min(unpaid, before);
      if (paid === 0) continue;
      unpaid -= paid;
      this.takeFrom(lot, transactionId, paid);
      const ofSameTopUp = (one: ModelLot) =>
        one.transactionId === lot.transactionId || (one.age === lot.age && one.origin === 'moved');
      for (const bonus of this.lotsOf(customerId, ['bonus']).filter(ofSameTopUp)) {
        const share = Math.floor((this.left(bonus) * paid) / before);
        this.takeFrom(bonus, transactionId, share);
        lapsed += share;
      }
    }
    return lapsed;
  }

  /** True if what a merged customer spent of several top-ups came back at once: which bonus came with which is not known. */
  hasUnclearBonus(): boolean {
    const returned = this.lots.filter(({ origin, part }) => origin === 'returned' && part !== 'points');
    const places = returned.map(({ transactionId, part }) => `${transactionId} ${part}`);
    return new Set(places).size < places.length;
  }

  private takeWhatThereIs(
    transactionId: string,
    customerId: string,
    parts: Part[],
    amount: number,
    order: typeof bySpendingOrder,
  ) {
    const used = { principal: 0, bonus: 0, points: 0 };
    let missing = amount;
    for (const lot of this.lotsOf(customerId, parts).sort(order(this.lots))) {
      const taken = Math.min(missing, this.left(lot));
      this.takeFrom(lot, transactionId, taken);
      used[lot.part] += taken;
      missing -= taken;
    }
    return { used, missing };
  }

  /** Returns what a completed transaction has spent, by part. */
  spentBy(transactionId: string): Record<Part, number> {
    const spent = { principal: 0, bonus: 0, points: 0 };
    for (const { part, transactionId: granter, taken } of this.lots) {
      if (granter !== transactionId) spent[part] += taken.get(transactionId) ?? 0;
    }
    return spent;
  }

  /**
   * Returns the batch's transactions whose value was spent by transactions outside of the batch, each with its
   * spenders.
   */
  blocking(batch: string[]): { transactionId: string; code: string; spentBy: string[] }[] {
    const merged = batch.filter((transactionId) => {
      const { type, status, customerId } = this.transactions.get(transactionId) ?? {};
      return type === 'topUp' && status === 'completed' && this.holders.has(customerId ?? '');
    });
    if (merged.length > 0) {
      return merged.map((transactionId) => ({ transactionId, code: 'customer_merged', spentBy: [] }));
    }
    return batch.flatMap((transactionId) => {
      const spenders = this.lots
        .filter((lot) => lot.transactionId === transactionId && lot.part !== 'points' && lot.origin === 'granted')
        .flatMap((lot) => [...lot.taken.keys()]);
      const spentBy = [...new Set(spenders)].filter((spender) => !batch.includes(spender));
      return spentBy.length > 0 ? [{ transactionId, code: 'top_up_spent', spentBy }] : [];
    });
  }

  /** Voids a batch that nothing blocks. Returns expired grants that got value back, and the cases that occurred. */
  void(batch: string[]): { results: VoidResult[]; restoredExpired: string[]; met: string[] } {
    const cameBack = new Map<ModelLot, number>();
    const met: string[] = [];
    const fresh = [...this.transactions.keys()].filter(
      (id) => batch.includes(id) && this.transactions.get(id)?.status === 'completed',
    );
    const owed: [string, { customerId: string; points: number }][] = [];
    // New lots of what came back to another customer: of the older transaction first, whose bonus is spent first as ever.
    const ages = new Map(fresh.map((id, n) => [id, this.ages + n + 1]));
    this.ages += fresh.length;
    for (const id of fresh.toReversed()) {
      // What refunds of a sale took stays taken, and what it owes for them becomes a part of what it owes in all.
      this.debts.delete(id);
      for (const lot of this.lots.filter(({ taken }) => taken.has(id) && !this.isSale(id))) {
        const amount = lot.taken.get(id) as number;
        const back = this.giveBackTo(lot, id, ages.get(id) as number);
        cameBack.set(back, (cameBack.get(back) ?? 0) + amount);
      }
      const isOwn = (one: ModelLot) => one.transactionId === id && one.origin === 'granted';
      for (const lot of this.lots.filter((one) => isOwn(one) && one.part === 'points')) {
        const missing = this.takeBack(lot, met);
        if (missing > 0) owed.push([id, { customerId: lot.customerId, points: missing }]);
      }
    }
    for (const [id, debt] of owed.toReversed()) this.debts.set(id, debt);
    this.giveBack(cameBack, met);
    this.payDebts(cameBack, met, fresh);
    const isGone = (lot: ModelLot) => lot.origin === 'granted' && fresh.includes(lot.transactionId);
    this.lots = this.lots.filter((lot) => lot.part === 'points' || !isGone(lot));
    for (const voucher of this.vouchers) if (fresh.includes(voucher.redeemedBy ?? '')) voucher.redeemedBy = null;
    const restoredExpired = [...cameBack.keys()].filter((lot) => this.isPast(lot.expiresAt));
    for (const lot of restoredExpired) lot.isWrittenOff = true;
    return {
      results: batch.map((id) => this.close(id)),
      // What a merge moved has no name, and what came back after it is among what has not expired.
      restoredExpired: restoredExpired.flatMap(({ origin, transactionId }) =>
        origin === 'granted' ? transactionId : [],
      ),
      met,
    };
  }

  /** What a transaction spent comes back to its lot. A merged customer's comes back as a new lot of the one who was kept. */
  private giveBackTo(lot: ModelLot, transactionId: string, age: number): ModelLot {
    const amount = lot.taken.get(transactionId) as number;
    lot.taken.delete(transactionId);
    const customerId = this.holderOf(lot.customerId);
    if (customerId === lot.customerId) return lot;
    this.hasCrossed = true;
    lot.taken.set(`${transactionId}, gone`, amount);
    const { part, expiresAt } = lot;
    return this.addLot({ part, amount, expiresAt, customerId, transactionId, age, origin: 'returned' });
  }

  /**
   * Takes a sale's points from its own lot (even if expired), then from the customer's others. Returns what is missing.
   */
  private takeBack(lot: ModelLot, met: string[], points = lot.amount - this.takenBack(lot.transactionId)): number {
    const own = Math.min(points, remaining(lot));
    this.takeFrom(lot, lot.transactionId, own);
    const { missing } = this.takeMissing(lot.transactionId, lot.customerId, points - own);
    if (missing < points - own) met.push('points taken from another sale');
    if (missing > 0) met.push('points shortfall');
    return missing;
  }

  private takeMissing = (transactionId: string, customerId: string, points: number) =>
    this.takeWhatThereIs(transactionId, customerId, ['points'], points, byOrigin);

  /** A part of a sale is refunded: it gives up `points` in all, with what earlier refunds took and what it owes. */
  refund(transactionId: string, points: number): string[] {
    const met: string[] = [];
    const lot = this.lots.find((one) => one.transactionId === transactionId);
    const owed = this.debts.get(transactionId)?.points ?? 0;
    const more = points - this.takenBack(transactionId) - owed;
    if (!lot || more <= 0) return met;
    const missing = this.takeBack(lot, met, more);
    if (missing > 0) this.debts.set(transactionId, { customerId: lot.customerId, points: owed + missing });
    return [...met, 'points of a refund'];
  }

  /** What a sale has taken back of its points, from its own lot and others. */
  private takenBack = (transactionId: string): number =>
    sum(this.lots.map(({ taken }) => taken.get(transactionId) ?? 0));

  private isSale = (transactionId: string): boolean => this.transactions.get(transactionId)?.type === 'sale';

  /**
   * Points that return to an earlier voided sale replace what was taken for it from other lots, latest first. If these
   * are of voided sales, too, the points go on from there.
   */
  private giveBack(cameBack: Map<ModelLot, number>, met: string[]): void {
    const points = [...cameBack.keys()].filter(({ part }) => part === 'points');
    const waiting = points.sort(byOrigin(this.lots));
    while (waiting.length > 0) {
      const lot = waiting.shift() as ModelLot;
      const id = lot.transactionId;
      let left = Math.min(cameBack.get(lot) as number, remaining(lot));
      const others = this.lots.filter((one) => one !== lot && one.taken.has(id));
      for (const other of others.sort(byOrigin(this.lots)).reverse()) {
        const taken = other.taken.get(id) as number;
        const back = Math.min(left, taken);
        if (back === 0) continue;
        other.taken.delete(id);
        this.takeFrom(other, id, taken - back);
        this.takeFrom(lot, id, back);
        cameBack.set(lot, (cameBack.get(lot) as number) - back);
        cameBack.set(other, (cameBack.get(other) ?? 0) + back);
        left -= back;
        waiting.push(other);
        met.push('points given back to another sale');
      }
    }
  }

  /** Debts of voids, oldest void first, then of refunds, oldest sale first. `voiding` are voided at this moment. */
  private debtsInOrder(voiding: string[] = []) {
    const isOfVoid = (id: string) => voiding.includes(id) || this.transactions.get(id)?.status === 'voided';
    const ofVoids = [...this.debts].filter(([id]) => isOfVoid(id));
    const ofRefunds = [...this.transactions.keys()].flatMap((id) => {
      const debt = isOfVoid(id) ? undefined : this.debts.get(id);
      return debt ? [[id, debt] as const] : [];
    });
    return [...ofVoids, ...ofRefunds];
  }

  /** The points of a new sale pay what its customer owes. Returns how many. */
  collectDebts(transactionId: string, customerId: string): number {
    let collected = 0;
    for (const lot of this.lotsOf(customerId, ['points']).filter((one) => one.transactionId === transactionId)) {
      for (const [id, debt] of this.debtsInOrder()) {
        if (this.holderOf(debt.customerId) !== customerId) continue;
        const paid = Math.min(debt.points, this.left(lot));
        this.takeFrom(lot, id, paid);
        debt.points -= paid;
        collected += paid;
        if (debt.points === 0) this.debts.delete(id);
      }
    }
    return collected;
  }

  /** Returns what a customer owes. */
  owedBy(customerId: string): number {
    const owed = [...this.debts.values()].filter(
      (debt) => this.holderOf(debt.customerId) === this.holderOf(customerId),
    );
    return sum(owed.map(({ points }) => points));
  }

  /** Returned points pay debts. Expired points pay only the debt of their own sale. */
  private payDebts(cameBack: Map<ModelLot, number>, met: string[], voiding: string[]): void {
    for (const [id, debt] of this.debtsInOrder(voiding)) {
      const before = debt.points;
      const paying = [...cameBack.keys()].filter(
        (lot) =>
          lot.part === 'points' &&
          lot.customerId === this.holderOf(debt.customerId) &&
          (lot.transactionId === id || !this.isPast(lot.expiresAt)),
      );
      for (const lot of paying.sort(byOrigin(this.lots))) {
        const payable = Math.min(debt.points, cameBack.get(lot) as number);
        let paid = Math.min(payable, remaining(lot));
        if (this.isPast(lot.expiresAt)) this.takeFrom(lot, id, paid);
        else paid = payable - this.takeMissing(id, debt.customerId, payable).missing;
        if (paid > 0) met.push(this.isPast(lot.expiresAt) ? 'debt paid with points past their time' : 'debt paid');
        cameBack.set(lot, (cameBack.get(lot) as number) - paid);
        debt.points -= paid;
      }
      if (debt.points > 0 && debt.points < before) met.push('debt paid in part');
      if (debt.points === 0) this.debts.delete(id);
    }
  }

  private close(transactionId: string): VoidResult {
    const seen = this.transactions.get(transactionId);
    if (!seen) {
      const tombstone = { type: null, input: null, customerId: null, status: 'voided', outcome: null } as const;
      this.transactions.set(transactionId, tombstone);
      return { transactionId, status: 'not_found' };
    }
    const status = seen.status === 'voided' ? 'already_voided' : 'voided';
    seen.status = 'voided';
    const { type, customerId } = seen;
    const pointsShortfall = this.debts.get(transactionId)?.points;
    return { transactionId, status, type: type ?? undefined, customerId: customerId ?? undefined, pointsShortfall };
  }

  private lotsOf(customerId: string, parts: Part[]): ModelLot[] {
    const holder = this.holderOf(customerId);
    return this.lots.filter((lot) => lot.customerId === holder && parts.includes(lot.part));
  }
}

export const remaining = (lot: ModelLot): number => lot.amount - sum(lot.taken.values());

const time = ({ expiresAt }: { expiresAt: Date | null }) => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

function bySpendingOrder(all: ModelLot[]) {
  return (a: ModelLot, b: ModelLot) => {
    if (time(a) !== time(b)) return time(a) - time(b);
    if (a.age !== b.age) return a.age - b.age;
    return a.part === b.part ? all.indexOf(a) - all.indexOf(b) : a.part === 'bonus' ? -1 : 1;
  };
}

/** The order in which points are taken back, and pay debts. */
const byOrigin = (all: ModelLot[]) => (a: ModelLot, b: ModelLot) =>
  time(a) - time(b) || all.indexOf(a) - all.indexOf(b);

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
