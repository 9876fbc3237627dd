/**
 * What the ledger must mean, in memory and as plainly as possible: lots, who took how much from them, and the outcome of
 * each transactionId. It keeps no entries and no expiries: a lot past its time counts for nothing, that is all.
 */
export type Part = 'principal' | 'bonus' | 'points';

export interface Grant {
  part: Part;
  amount: number;
  expiresAt: Date | null;
}

interface ModelLot extends Grant {
  customerId: string;
  /** The transaction that granted it. */
  transactionId: string;
  /** What each transaction that was not voided took. */
  taken: Map<string, number>;
}

/** What an operation comes to. `none`: an error that is no outcome, and leaves the id free. */
export type Outcome =
  | { status: 'completed'; answer: object }
  | { status: 'refused' | 'none'; code: string; details?: object };

export interface ModelTransaction {
  /** Null: an id that was voided before it was ever seen. */
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
}

export class LedgerModel {
  readonly transactions = new Map<string, ModelTransaction>();
  /** Ids whose attempts came to nothing: they may be used again. */
  readonly freeIds: string[] = [];
  private lots: ModelLot[] = [];

  constructor(
    public now: Date,
    readonly customerIds: string[],
  ) {}

  left(lot: ModelLot): number {
    if (lot.expiresAt !== null && lot.expiresAt <= this.now) return 0;
    return lot.amount - sum(lot.taken.values());
  }

  balanceOf(customerId: string) {
    const of = (part: Part) => sum(this.lotsOf(customerId, [part]).map((lot) => this.left(lot)));
    const [principal, bonus, points] = [of('principal'), of('bonus'), of('points')];
    return { storedValue: { balance: principal + bonus, principal, bonus }, points };
  }

  /** What is to expire, soonest first, summed by its time. */
  expiring(customerId: string, part: Part): { amount: number; expiresAt: string }[] {
    const byTime = new Map<string, number>();
    for (const lot of this.lotsOf(customerId, [part])) {
      if (lot.expiresAt === null || this.left(lot) === 0) continue;
      const at = lot.expiresAt.toISOString();
      byTime.set(at, (byTime.get(at) ?? 0) + this.left(lot));
    }
    return [...byTime].sort().map(([expiresAt, amount]) => ({ amount, expiresAt }));
  }

  grant(transactionId: string, customerId: string, grants: Grant[]): void {
    for (const grant of grants) {
      if (grant.amount > 0) this.lots.push({ ...grant, customerId, transactionId, taken: new Map() });
    }
  }

  /** Takes from what expires soonest, then from the oldest, of one top-up from its bonus first. */
  take(transactionId: string, customerId: string, parts: Part[], amount: number): Record<Part, number> {
    const used = { principal: 0, bonus: 0, points: 0 };
    let missing = amount;
    for (const lot of this.lotsOf(customerId, parts).sort(bySpendingOrder(this.lots))) {
      const taken = Math.min(missing, this.left(lot));
      if (taken === 0) continue;
      lot.taken.set(transactionId, taken);
      used[lot.part] += taken;
      missing -= taken;
    }
    if (missing > 0) throw new Error('the model took more than there was');
    return used;
  }

  /** The transactions of a batch whose value somebody spent, who is not in the batch. */
  blocking(batch: string[]): string[] {
    return batch.filter((id) => {
      const spenders = this.lots
        .filter((lot) => lot.transactionId === id && lot.part !== 'points')
        .flatMap((lot) => [...lot.taken.keys()]);
      return spenders.some((spender) => !batch.includes(spender));
    });
  }

  /** Voids a batch that nothing blocks. Answers the grants past their time that got value back. */
  void(batch: string[]): { results: VoidResult[]; restoredExpired: string[] } {
    const restored = this.lots.filter((lot) => batch.some((id) => lot.taken.has(id)));
    for (const lot of restored) for (const id of batch) lot.taken.delete(id);
    this.lots = this.lots.filter((lot) => !batch.includes(lot.transactionId));
    const results = batch.map((transactionId): VoidResult => {
      const seen = this.transactions.get(transactionId);
      if (!seen) {
        const tombstone = { type: null, input: null, customerId: null, status: 'voided', outcome: null } as const;
        this.transactions.set(transactionId, tombstone);
        return { transactionId, status: 'not_found' };
      }
      const status = seen.status === 'voided' ? 'already_voided' : 'voided';
      seen.status = 'voided';
      return { transactionId, status, type: seen.type ?? undefined, customerId: seen.customerId ?? undefined };
    });
    const isExpired = (lot: ModelLot) => lot.expiresAt !== null && lot.expiresAt <= this.now;
    return { results, restoredExpired: restored.filter(isExpired).map(({ transactionId }) => transactionId) };
  }

  private lotsOf(customerId: string, parts: Part[]): ModelLot[] {
    return this.lots.filter((lot) => lot.customerId === customerId && parts.includes(lot.part));
  }
}

function bySpendingOrder(oldestFirst: ModelLot[]) {
  const time = (lot: ModelLot) => lot.expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return (a: ModelLot, b: ModelLot) => {
    if (time(a) !== time(b)) return time(a) - time(b);
    if (a.transactionId === b.transactionId) return a.part === 'bonus' ? -1 : 1;
    return oldestFirst.indexOf(a) - oldestFirst.indexOf(b);
  };
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
